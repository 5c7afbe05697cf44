//! The suite on every target and CPU model, and the matrix of what came out.

mod cells;
mod render;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime};

use anyhow::{Context as _, Result, bail};
use cargo_metadata::Package;

use super::summary::{Counts, Watch, counts_by_crate, failing_programs};
use super::{TestArgs, backend_flags, cargo_test, feature_sets, select};
use crate::cross::targets::{BUILD, Cpu, Engine, System, TARGETS, Target, named};
use crate::cross::{Environment, Place, Runner, Unready, dispatch};
use crate::lint::bare_metal::bare_features;
use crate::shell::{Cmd, last_lines};
use crate::workspace::{Workspace, is_published, names, package_args, underscored};
use cells::{Cell, Matrix, Row};

/// Runs what `args` asks for, prints the matrix and writes it down. Gives back the sum of all tests, and what went wrong.
pub(crate) fn run(workspace: &Workspace, args: &TestArgs) -> Result<(Counts, Vec<String>)> {
    let targets = targets(args)?;
    let mut packages = select(workspace, args)?;
    packages.retain(|package| is_published(package));
    if packages.is_empty() {
        bail!("only published crates are tested on other targets, and none is left");
    }
    if args.dispatch {
        packages.clear();
    }
    let mut environment = Environment::open(workspace)?;
    environment.fetch_crates()?;
    let places = environment.prepare(&targets);
    let mut matrix = Matrix::new(
        SystemTime::now(),
        environment.versions(),
        args.backend.clone(),
        args.quick,
        names(&packages),
    );
    for (target, place) in targets.iter().zip(places) {
        let suite = Suite {
            workspace,
            args,
            packages: &packages,
            root: environment.root(),
            target,
        };
        suite.add_rows(place, &mut matrix)?;
        // After each, for whoever has to stop it.
        write(environment.root(), &matrix)?;
    }
    println!("\n{}", render::terminal(&matrix));
    let mut folders = vec![environment.root().to_owned()];
    if args.report {
        folders.push(workspace.root().join("docs"));
        write(&folders[1], &matrix)?;
    }
    for folder in folders {
        println!("wrote {}", folder.join("test-matrix.{md,json}").display());
    }
    Ok((matrix.total(), matrix.problems(args.require_all)))
}

fn write(folder: &Path, matrix: &Matrix) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let texts = [
        ("test-matrix.json", render::json(matrix)?),
        ("test-matrix.md", render::markdown(matrix)),
    ];
    for (name, text) in texts {
        let file = folder.join(name);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// The targets that `args` asks for, in the order of the matrix.
fn targets(args: &TestArgs) -> Result<Vec<&'static Target>> {
    let mut all: Vec<&str> = TARGETS.iter().flat_map(Target::rows).collect();
    if let Some(name) = args.cpus.iter().find(|name| !all.contains(&name.as_str())) {
        all.sort_unstable();
        all.dedup();
        bail!("no CPU model `{name}`; there are: {}", all.join(", "));
    }
    let mut targets = named(&args.targets)?;
    targets.retain(|target| target.rows().into_iter().any(|row| is_wanted(args, row)));
    if targets.is_empty() {
        bail!("none of these targets has one of these CPU models");
    }
    Ok(targets)
}

fn is_wanted(args: &TestArgs, row: &str) -> bool {
    args.cpus.is_empty() || args.cpus.iter().any(|name| name == row)
}

/// Where a row's tests run.
struct At<'a> {
    place: &'a Place,
    cpu: &'a Cpu,
    runner: &'a Runner,
    /// Whether all is tested that can be: on the first CPU model of a target.
    everything: bool,
}

/// The suite for one target.
struct Suite<'a> {
    workspace: &'a Workspace,
    args: &'a TestArgs,
    packages: &'a [&'a Package],
    /// Where logs go.
    root: &'a Path,
    target: &'static Target,
}

impl Suite<'_> {
    fn add_rows(&self, place: Result<Place, Unready>, matrix: &mut Matrix) -> Result<()> {
        let name = self.target.name;
        let mut rows = self.target.rows();
        rows.retain(|row| is_wanted(self.args, row));
        let place = match place {
            Ok(place) => place,
            Err(unready) => {
                for row in rows {
                    matrix.push(Row::unready(name, row, self.packages, &unready));
                }
                return Ok(());
            }
        };
        if self.target.system == System::Bare {
            let mut row = Row::new(name, BUILD);
            for package in self.packages {
                self.report(&mut row, &package.name, |suite| {
                    suite.build(&place, package)
                })?;
            }
            matrix.push(row);
            return Ok(());
        }
        let mut first = !self.args.quick;
        let cpus = self.target.cpus.iter();
        for cpu in cpus.filter(|cpu| rows.contains(&cpu.name)) {
            let runner = match place.runner(cpu) {
                Ok(runner) => runner,
                Err(unready) => {
                    matrix.push(Row::unready(name, cpu.name, self.packages, &unready));
                    continue;
                }
            };
            let at = At {
                place: &place,
                cpu,
                runner: &runner,
                everything: first,
            };
            let mut row = Row::new(name, cpu.name);
            let mut together = if self.args.quick {
                self.test_together(&at)?
            } else {
                BTreeMap::new()
            };
            for package in self.packages {
                let cell = together.remove(&underscored(package));
                self.report(&mut row, &package.name, |suite| match cell {
                    Some(cell) => Ok(cell),
                    None => suite.test(&at, package),
                })?;
            }
            self.report(&mut row, "dispatch", |suite| suite.dispatch(&at))?;
            matrix.push(row);
            first = false;
        }
        Ok(())
    }

    /// Fills one cell and says what it is.
    fn report(
        &self,
        row: &mut Row,
        column: &str,
        cell: impl FnOnce(&Self) -> Result<Cell>,
    ) -> Result<()> {
        let start = Instant::now();
        let cell = cell(self)?;
        println!(
            "{} {} {column}: {} ({:.1} s)",
            row.target,
            row.cpu,
            cell.describe(),
            start.elapsed().as_secs_f64()
        );
        row.push(column, cell);
        Ok(())
    }

    fn log(&self, words: &[&str]) -> std::path::PathBuf {
        let name = format!("{}-{}.log", self.target.name, words.join("-"));
        self.root.join("log").join(name)
    }

    /// The flags that force a back end.
    fn flags(&self) -> Result<Vec<String>> {
        match &self.args.backend {
            Some(backend) => backend_flags(self.workspace, backend),
            None => Ok(Vec::new()),
        }
    }

    /// Builds a crate where no program can run.
    fn build(&self, place: &Place, package: &Package) -> Result<Cell> {
        let command = Cmd::cargo("build")
            .args(["--package", &package.name, "--lib"])
            .args(["--no-default-features", "--features"])
            .arg(bare_features(package).join(","));
        let command = place.command(command, &Runner::default(), &self.flags()?)?;
        let log = self.log(&["build", &package.name]);
        let (status, text) = command.run_into(&log)?;
        if status.success() {
            return Ok(Cell::Built);
        }
        println!("{}", last_lines(&text, 40));
        Ok(Cell::DoesNotBuild)
    }

    /// Tests a crate on a CPU model. On the first of a target with every set of features and with the documentation's
    /// examples; on the others, whose programs are the same, with all features.
    fn test(&self, at: &At<'_>, package: &Package) -> Result<Cell> {
        let sets = feature_sets(package);
        let sets = if at.everything { sets } else { &sets[..1] };
        let mut counts = Counts::default();
        let mut seconds = 0.0;
        for (index, features) in sets.iter().enumerate() {
            let command = |more: &[&str]| {
                let command = cargo_test(self.args, package, features).args(more);
                at.place.command(command, at.runner, &self.flags()?)
            };
            let index = index.to_string();
            let log = self.log(&[at.cpu.name, &package.name, &index]);
            let which: &[&str] = if at.everything {
                &[]
            } else {
                &["--lib", "--tests"]
            };
            let mut run = command(which)?;
            let (status, text) = command(which)?.arg("--no-run").run_into(&log)?;
            if !status.success() {
                println!("{}", last_lines(&text, 40));
                return Ok(Cell::DoesNotBuild);
            }
            if !self.args.extra.is_empty() {
                run = run.arg("--").args(&self.args.extra);
            }
            let start = Instant::now();
            let (status, text) = run.run_into(&log)?;
            seconds += start.elapsed().as_secs_f64();
            let mut watch = Watch::default();
            text.lines().for_each(|line| watch.see(line));
            counts += watch.finish(status.success());
            if !status.success() {
                println!("{}", failing_programs(&text));
            }
        }
        if counts.ran() == 0 && self.args.extra.is_empty() {
            return Ok(Cell::Failed {
                reason: "no test ran".to_owned(),
            });
        }
        Ok(Cell::ran(counts, seconds))
    }

    /// Tests all crates on a CPU model in one go, with all features, which builds what they share once. A cell for each
    /// in which tests ran, by its name in Rust; none if it is not clear what went wrong, which they then show one by one.
    fn test_together(&self, at: &At<'_>) -> Result<BTreeMap<String, Cell>> {
        let [first, others @ ..] = self.packages else {
            return Ok(BTreeMap::new());
        };
        let command = |more: &[&str]| {
            let command = cargo_test(self.args, first, &["--all-features", "--lib", "--tests"])
                .args(package_args(others))
                .args(more);
            at.place.command(command, at.runner, &self.flags()?)
        };
        let log = self.log(&[at.cpu.name, "all"]);
        let (status, _) = command(&["--no-run"])?.run_into(&log)?;
        if !status.success() {
            return Ok(BTreeMap::new());
        }
        let mut run = command(&[])?;
        if !self.args.extra.is_empty() {
            run = run.arg("--").args(&self.args.extra);
        }
        let (status, text) = run.run_into(&log)?;
        let crates = counts_by_crate(&text);
        if !status.success() {
            if crates.values().all(|(counts, _)| counts.failed == 0) {
                return Ok(BTreeMap::new());
            }
            println!("{}", failing_programs(&text));
        }
        let crates = crates.into_iter();
        Ok(crates
            .filter(|(_, (counts, _))| counts.ran() != 0)
            .map(|(name, (counts, seconds))| (name, Cell::ran(counts, seconds)))
            .collect())
    }

    /// Asks the crates which back ends they chose, and compares with the table.
    fn dispatch(&self, at: &At<'_>) -> Result<Cell> {
        let skipped = |reason: &str| {
            Ok(Cell::Skipped {
                reason: reason.to_owned(),
            })
        };
        if self.args.backend.is_some() {
            return skipped("a back end is forced");
        }
        // wine's programs ask the machine's own CPU.
        let name = match at.cpu.engine {
            Engine::Native | Engine::Wine => dispatch::native_name(),
            Engine::Qemu(_) | Engine::QemuWithoutCrypto(_) | Engine::Node => Some(at.cpu.name),
        };
        let Some(name) = name else {
            return skipped("the table has no line for this machine's CPU");
        };
        let command = Cmd::cargo("run").args(["--quiet", "--package", "dispatch"]);
        let command = at.place.command(command, at.runner, &[])?;
        let checked = command.output().and_then(|output| {
            let found = dispatch::read_output(&output)?;
            let crates = names(&self.workspace.published());
            dispatch::check(self.target.name, name, &crates, &found)
        });
        Ok(match checked {
            Ok(()) => Cell::Agrees,
            Err(error) => Cell::Failed {
                reason: format!("{error:#}"),
            },
        })
    }
}
