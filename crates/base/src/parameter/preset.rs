//! Which defaults hold.

crate::named! {
    /// The two sets of defaults.
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Preset {
        /// The paper of 2022 as printed, with its gaps filled soundly.
        #[default]
        Text = "as-printed" | "text",
        /// The authors' code of 2022 as it runs.
        Reference = "reference",
    }
}
