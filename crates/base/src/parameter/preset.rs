//! Which defaults hold.

/// The two sets of defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// The paper of 2022 as printed, with its gaps filled soundly.
    #[default]
    Text,
    /// The authors' code of 2022 as it runs.
    Reference,
}

crate::named!(Preset: Text = "text", Reference = "reference");
