//! Builds libcrypto and links all of it into one shared object.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "vendored")]
    vendored::build();
}

#[cfg(feature = "vendored")]
mod vendored {
    use std::{env, path::PathBuf, process::Command};

    pub(crate) fn build() {
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let artifacts = openssl_src::Build::new().build();
        let library = out.join("libspeed_openssl.so");
        // -Bsymbolic: calls inside the library stay inside, whatever else the process has loaded.
        let status = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
            .args(["-shared", "-Wl,-Bsymbolic", "-o"])
            .arg(&library)
            .arg("-Wl,--whole-archive")
            .arg(artifacts.lib_dir().join("libcrypto.a"))
            .args(["-Wl,--no-whole-archive", "-lpthread", "-ldl"])
            .status()
            .expect("could not start the C compiler");
        assert!(status.success(), "could not link {}", library.display());
        println!(
            "cargo::rustc-env=SPEED_OPENSSL_LIBRARY={}",
            library.display()
        );
    }
}
