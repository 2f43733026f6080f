//! The descriptions of tiles in `tiles/*.json`: counts, edges and features in rotation 0.

use super::tile::{FeatureKind, Port};
use serde::Deserialize;

/// A file of tiles.
#[derive(Deserialize)]
pub(super) struct Description {
    pub(super) start: Option<String>,
    pub(super) last: Option<String>,
    pub(super) tiles: Vec<TileDescription>,
}

/// A kind of tile.
#[derive(Deserialize, Clone)]
pub(super) struct TileDescription {
    pub(super) id: String,
    pub(super) count: u8,
    /// The number of copies that have a garden.
    #[serde(default)]
    pub(super) gardens: u8,
    pub(super) edges: String,
    pub(super) features: Vec<FeatureDescription>,
}

impl TileDescription {
    /// The name of a tile that has a garden, if gardens are in play.
    pub(super) fn name_with_garden(name: &str) -> String {
        format!("{name}g")
    }

    pub(super) fn of_kind(&self, kind: FeatureKind) -> impl Iterator<Item = &FeatureDescription> {
        self.features.iter().filter(move |feature| feature.kind() == Some(kind))
    }

    /// The copies without a garden and those with one, as kinds of their own.
    pub(super) fn with_gardens_apart(mut self) -> Vec<TileDescription> {
        let mut with =
            TileDescription { id: TileDescription::name_with_garden(&self.id), count: self.gardens, ..self.clone() };
        with.features.push(FeatureDescription::garden());
        self.count -= self.gardens;
        [self, with].into_iter().filter(|tile| tile.count > 0).collect()
    }
}

/// A feature of a tile, or the river.
#[derive(Deserialize, Clone, Default)]
pub(super) struct FeatureDescription {
    kind: String,
    #[serde(default)]
    sides: Vec<String>,
    #[serde(default)]
    half_edges: Vec<String>,
    #[serde(default)]
    pub(super) cities: Vec<u32>,
    #[serde(default)]
    pub(super) pennants: u8,
    #[serde(default)]
    inn: bool,
    #[serde(default)]
    cathedral: bool,
}

impl FeatureDescription {
    fn garden() -> FeatureDescription {
        FeatureDescription { kind: FeatureKind::Garden.name().to_owned(), ..FeatureDescription::default() }
    }

    /// The kind of feature; none for the river, on which no figure stands.
    pub(super) fn kind(&self) -> Option<FeatureKind> {
        match self.kind.as_str() {
            "city" => Some(FeatureKind::City),
            "road" => Some(FeatureKind::Road),
            "field" => Some(FeatureKind::Field),
            "cloister" => Some(FeatureKind::Monastery),
            "garden" => Some(FeatureKind::Garden),
            "river" => None,
            other => panic!("the embedded tile set names an unknown feature: {other}"),
        }
    }

    pub(super) fn is_special(&self) -> bool {
        self.inn || self.cathedral
    }

    pub(super) fn ports(&self) -> u16 {
        self.sides
            .iter()
            .chain(&self.half_edges)
            .fold(0, |set, name| set | Port::parse(name).expect("the embedded tile set names real ports").bit())
    }
}
