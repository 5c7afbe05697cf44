//! What an operation gets: values, a way to make them secret, and a way to have it watched.

use crate::instrument::Instrument;

/// One run of an operation.
#[derive(Debug)]
pub(crate) struct Probe {
    instrument: Instrument,
    run: u64,
    varying: Values,
    fixed: Values,
}

impl Probe {
    pub(crate) fn new(instrument: Instrument, run: u64) -> Self {
        Self {
            instrument,
            run,
            varying: Values::of_run(run),
            fixed: Values::Random(!0),
        }
    }

    /// The number of the run: 0 and 1, under the emulator more. Whatever an operation makes of it must be what an
    /// outsider may not notice.
    pub(crate) fn run(&self) -> usize {
        self.run as usize
    }

    /// Fills `bytes` with values of this run. They become secret, or what secrets are made into.
    pub(crate) fn vary(&mut self, bytes: &mut [u8]) {
        self.varying.fill(bytes);
    }

    /// [`vary`](Self::vary) for an array.
    pub(crate) fn varying<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.vary(&mut bytes);
        bytes
    }

    /// Values that are the same in every run: those on which flow and addresses may depend.
    pub(crate) fn fixed<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fixed.fill(&mut bytes);
        bytes
    }

    /// A secret of this run.
    pub(crate) fn secret<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = self.varying();
        self.hide(&mut bytes);
        bytes
    }

    /// Makes a value secret.
    pub(crate) fn hide<T: ?Sized>(&self, value: &mut T) {
        self.instrument.secret(value);
    }

    /// Makes a result public, so that it can be looked at.
    pub(crate) fn reveal<T: ?Sized>(&self, value: &mut T) {
        self.instrument.public(value);
    }

    /// Runs what is to be watched.
    pub(crate) fn watch<T>(&self, body: impl FnOnce() -> T) -> T {
        self.instrument.watch(body)
    }
}

/// A source of values.
#[derive(Debug)]
enum Values {
    /// The same byte for ever: carries, and comparisons with a modulus, come out other than at random.
    Constant(u8),
    /// SplitMix64 in this state.
    Random(u64),
}

impl Values {
    fn of_run(run: u64) -> Self {
        match run {
            2 => Self::Constant(0),
            3 => Self::Constant(0xff),
            _ => Self::Random(run),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = match self {
                Self::Constant(byte) => *byte,
                Self::Random(state) => {
                    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mut z = *state;
                    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                    (z >> 56) as u8
                }
            };
        }
    }
}
