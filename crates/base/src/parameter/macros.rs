//! The declaration of parameters.

/// Declares a structure of parameters.
///
/// Each field has a documentation line (its description everywhere), a type, the default of the preset as-printed, and
/// optionally: `reference =` the default of the reference preset, `values =` the range, `name =` the name in files if
/// it is not the field's, `was =` an earlier spelling, `only = other = "value"` a condition under which it may be
/// given, `except = other = "value"` what it contradicts if both are given, `unless =` names of parameters that replace
/// its default if they are given (`clock`: the clock of a game does), `required = true` if a table needs it, so that what
/// stands for the default is no value of it, `recorded = true` to name it in records even at its default, `timed = true` if it
/// makes decisions depend on a clock, so that games cannot be repeated, `repeats = true` if games can be repeated only
/// where it is true, `peeks =` the name with which a player sees the chance outcomes to come, `later =` what may become of
/// it in the file of something that has begun: see [`Later`](crate::parameter::Later).
///
/// ```
/// use evouct_base::parameter::{Parameters, Preset, Values};
///
/// evouct_base::parameters! {
///     /// How a cook bakes.
///     pub struct Baking {
///         /// Degrees of the oven.
///         degrees: u64 = 180, values = Values::Count(20, 300);
///         /// Whether the oven is heated first.
///         preheat: bool = true, reference = false;
///     }
/// }
///
/// assert_eq!(Baking::defaults(Preset::Text).degrees, 180);
/// assert!(!Baking::defaults(Preset::Reference).preheat);
/// assert_eq!(Baking::table()[0].about, "Degrees of the oven.");
/// ```
#[macro_export]
macro_rules! parameters {
    (@first $first:expr $(, $rest:expr)*) => { $first };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    (@flag) => { false };
    (@flag $value:literal) => { $value };
    (@list) => { &[] };
    (@list $value:expr) => { &$value };
    (@later) => { $crate::parameter::Later::Fixed };
    (@later $later:ident) => { $crate::parameter::Later::$later };
    (
        $(#[$meta:meta])*
        $vis:vis struct $struct:ident $(<$generic:ident : $bound:path>)? {
            $(
                $(#[doc = $doc:literal])+
                $field:ident : $type:ty = $text:expr
                    $(, reference = $reference:expr)?
                    $(, values = $values:expr)?
                    $(, name = $name:literal)?
                    $(, was = $was:literal)?
                    $(, only = $other:literal = $wanted:literal)?
                    $(, except = $against:literal = $refused:literal)?
                    $(, unless = $unless:expr)?
                    $(, required = $required:literal)?
                    $(, recorded = $recorded:literal)?
                    $(, timed = $timed:literal)?
                    $(, repeats = $repeats:literal)?
                    $(, peeks = $peeks:literal)?
                    $(, later = $later:ident)?
                ;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $struct $(<$generic: $bound>)? {
            $(
                $(#[doc = $doc])+
                pub $field: $type,
            )*
        }

        impl $(<$generic: $bound>)? $crate::parameter::Parameters for $struct $(<$generic>)? {
            const COUNT: usize = [$(stringify!($field)),*].len();

            fn table() -> Vec<$crate::parameter::Parameter> {
                vec![$({
                    let default_of = |default: $type| match $crate::parameters!(@flag $($required)?) {
                        true => $crate::parameter::Value::Unset,
                        false => $crate::parameter::ParameterType::to_value(&default),
                    };
                    $crate::parameter::Parameter {
                        name: $crate::parameters!(@name $field $($name)?),
                        was: $crate::parameters!(@option $($was)?),
                        about: concat!($($doc),+).trim(),
                        values: $crate::parameters!(
                            @first $($values,)? <$type as $crate::parameter::ParameterType>::values()
                        ),
                        former: <$type as $crate::parameter::ParameterType>::former(),
                        text: default_of($text),
                        reference: default_of($crate::parameters!(@first $($reference,)? $text)),
                        only: $crate::parameters!(
                            @option $($crate::parameter::Condition { parameter: $other, value: $wanted })?
                        ),
                        except: $crate::parameters!(
                            @option $($crate::parameter::Condition { parameter: $against, value: $refused })?
                        ),
                        unless: $crate::parameters!(@list $($unless)?),
                        required: $crate::parameters!(@flag $($required)?),
                        recorded: $crate::parameters!(@flag $($recorded)?),
                        timed: $crate::parameters!(@flag $($timed)?),
                        repeats: $crate::parameters!(@flag $($repeats)?),
                        peeks: $crate::parameters!(@option $($peeks)?),
                        later: $crate::parameters!(@later $($later)?),
                    }
                }),*]
            }

            fn read(values: &[$crate::parameter::Value]) -> Self {
                let mut values = values.iter();
                $struct {$(
                    $field: values
                        .next()
                        .and_then(<$type as $crate::parameter::ParameterType>::from_value)
                        .unwrap_or_else(|| $text),
                )*}
            }
        }
    };
}

/// Declares a structure whose fields are sets of parameters, listed one after another.
#[macro_export]
macro_rules! parameter_groups {
    (
        $(#[$meta:meta])*
        $vis:vis struct $struct:ident $(<$generic:ident : $bound:path>)? {
            $( $(#[doc = $doc:literal])+ $field:ident : $type:ty; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $struct $(<$generic: $bound>)? {
            $( $(#[doc = $doc])+ pub $field: $type, )*
        }

        impl $(<$generic: $bound>)? $crate::parameter::Parameters for $struct $(<$generic>)? {
            const COUNT: usize = 0 $(+ <$type as $crate::parameter::Parameters>::COUNT)*;

            fn table() -> Vec<$crate::parameter::Parameter> {
                let mut table = Vec::new();
                $( table.extend(<$type as $crate::parameter::Parameters>::table()); )*
                table
            }

            fn read(values: &[$crate::parameter::Value]) -> Self {
                let mut rest = values;
                $(
                    let (own, after) = rest.split_at(rest.len().min(<$type as $crate::parameter::Parameters>::COUNT));
                    let $field = <$type as $crate::parameter::Parameters>::read(own);
                    rest = after;
                )*
                debug_assert!(rest.is_empty(), "as many values as parameters");
                $struct { $($field),* }
            }
        }
    };
}
