//! Panics of players and of registered games become errors, not crashes.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// The message of the last panic on this thread, while panics are caught here.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
    /// How many calls of [`catch`] this thread is in.
    static CATCHING: Cell<u32> = const { Cell::new(0) };
}

/// An error that ends work for a reason outside the code of this program.
struct Refusal(String);

/// Ends the work of this thread up to [`catch`] for a reason outside the code of this program, such as an error in code
/// of the user: the message has no place.
///
/// # Panics
/// Always.
pub fn refuse(message: String) -> ! {
    resume_unwind(Box::new(Refusal(message)))
}

/// Runs something that may panic. The message and place of a panic are returned as an error and not printed.
///
/// # Errors
/// The message of the panic, or of a [refusal](refuse).
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    begin();
    let result = catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(CATCHING.get() - 1);
    result.map_err(message)
}

#[inline(never)]
fn message(payload: Box<dyn Any + Send>) -> String {
    let message = CAUGHT.with_borrow_mut(Option::take);
    match payload.downcast::<Refusal>() {
        Ok(refusal) => refusal.0,
        Err(_) => message.unwrap_or_else(|| "a panic without a message".to_owned()),
    }
}

/// From now on panics of this thread are caught and not printed.
fn begin() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = take_hook();
        set_hook(Box::new(move |info| {
            if CATCHING.get() > 0 {
                let message = info.payload_as_str().unwrap_or("no message");
                let place = info.location().map_or(String::new(), |place| format!(" at {place}"));
                CAUGHT.with_borrow_mut(|caught| *caught = Some(format!("{message}{place}")));
            } else {
                default(info);
            }
        }));
    });
    CATCHING.set(CATCHING.get() + 1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch(|| 7), Ok(7));
        let message = catch(|| -> i32 { panic!("lost {} meeples", 3) }).unwrap_err();
        assert!(message.starts_with("lost 3 meeples at ") && message.contains("src/panic.rs:"), "{message}");
    }

    #[test]
    fn a_refusal_has_no_place() {
        assert_eq!(
            catch(|| -> i32 { refuse("the die has seven sides".to_owned()) }),
            Err("the die has seven sides".to_owned())
        );
        assert!(catch(|| panic!("a panic")).unwrap_err().starts_with("a panic at "));
    }

    #[test]
    fn calls_within_calls_catch_their_own_panics() {
        let outer = catch(|| {
            let inner = catch(|| -> i32 { panic!("inner") }).unwrap_err();
            assert!(inner.starts_with("inner at "), "{inner}");
            panic!("outer")
        });
        assert!(outer.unwrap_err().starts_with("outer at "));
    }
}
