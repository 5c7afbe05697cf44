#!/bin/sh
# Runs rustc for cargo, in the build of a standard library. As in the compiler's own build, panic_abort is compiled to
# abort itself; otherwise no program with `panic = "abort"` would link.
case " $* " in
*" --crate-name panic_abort "*) exec "$@" -Cpanic=abort ;;
*) exec "$@" ;;
esac
