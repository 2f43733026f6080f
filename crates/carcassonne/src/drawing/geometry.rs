//! Shapes on a tile: the outlines of cities and the lines of roads.
//!
//! A tile is the unit square, with `x` to the east and `y` to the south. The outline of a city follows its sides of the
//! tile; between them a curved wall goes from corner to corner. A road is a quarter circle or a straight line.

use crate::rules::Side;
use std::ops::{Add, Mul, Sub};

/// A point of the tile, or the difference of two points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub(super) const CENTRE: Point = Point { x: 0.5, y: 0.5 };

    /// The corner where side number `side` (modulo four) begins, in clockwise order.
    pub(super) fn corner(side: usize) -> Point {
        let (x, y) = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)][side % 4];
        Point { x, y }
    }

    pub(super) fn middle(side: Side) -> Point {
        (Point::corner(side as usize) + Point::corner(side as usize + 1)) * 0.5
    }

    pub(super) fn distance(self, other: Point) -> f64 {
        let Point { x, y } = self - other;
        (x * x + y * y).sqrt()
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        Point { x: self.x * factor, y: self.y * factor }
    }
}

/// A piece of the outline of a city. It begins at the end of the previous piece.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// A side of the tile, to this point.
    Edge(Point),
    /// A wall: a cubic Bézier curve with these two control points and this end.
    Wall([Point; 3]),
}

/// The closed outline of a city, clockwise from a corner of the tile.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub start: Point,
    pub pieces: Vec<Piece>,
}

impl Outline {
    /// The outline of a city on the sides for which `on` is true.
    pub(super) fn of(on: impl Fn(Side) -> bool) -> Outline {
        let has = |side: usize| on(Side::ALL[side % 4]);
        let first = (0..4).find(|&side| has(side)).unwrap_or(0);
        let mut pieces = Vec::new();
        let mut side = first;
        while side < first + 4 {
            if has(side) {
                pieces.push(Piece::Edge(Point::corner(side + 1)));
                side += 1;
            } else {
                let gap = (side..first + 4).take_while(|&side| !has(side)).count();
                pieces.push(Piece::Wall(wall(side, gap)));
                side += gap;
            }
        }
        Outline { start: Point::corner(first), pieces }
    }

    pub(super) fn polygon(&self) -> Vec<Point> {
        let mut corners = vec![self.start];
        for piece in &self.pieces {
            let from = corners[corners.len() - 1];
            match *piece {
                Piece::Edge(to) => corners.push(to),
                Piece::Wall([c, d, to]) => corners.extend((1..=12).map(|step| {
                    let (t, s) = (f64::from(step) / 12.0, 1.0 - f64::from(step) / 12.0);
                    from * (s * s * s) + c * (3.0 * s * s * t) + d * (3.0 * s * t * t) + to * (t * t * t)
                })),
            }
        }
        corners
    }
}

/// The wall of a city along `gap` sides that do not belong to it, from side number `side` on.
///
/// Walls of different cities that end in the same corner do not cross, because each leaves the corner at less than 45
/// degrees to its own side.
fn wall(side: usize, gap: usize) -> [Point; 3] {
    let (from, to) = (Point::corner(side), Point::corner(side + gap));
    let inward = |side: usize| Point::CENTRE - Point::middle(Side::ALL[side % 4]);
    match gap {
        1 => [from + (to - from) * 0.3 + inward(side) * 0.84, to + (from - to) * 0.3 + inward(side) * 0.84, to],
        2 => {
            let city = Point::corner(side + 3);
            let bend = city + (Point::CENTRE - city) * 0.7;
            [from + (bend - from) * (2.0 / 3.0), to + (bend - to) * (2.0 / 3.0), to]
        }
        _ => {
            let inward = inward(side + 3) * 0.72;
            [from + (to - from) * 0.38 + inward, to + (from - to) * 0.38 + inward, to]
        }
    }
}

/// The line of a road.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stroke {
    /// From one side to another.
    Through(Side, Side),
    /// From the middle of a side straight to the opposite side, for this length.
    End(Side, f64),
}

impl Stroke {
    /// The corner of the tile between the two sides of a bend. `None` for a straight road.
    fn bend_corner(a: Side, b: Side) -> Option<Point> {
        (a.opposite() != b).then(|| Point::middle(a) + Point::middle(b) - Point::CENTRE)
    }

    /// Whether the road is a bend.
    pub(super) fn is_bend(self) -> bool {
        matches!(self, Stroke::Through(a, b) if a.opposite() != b)
    }

    /// The distance of a point from the line of the road.
    pub(super) fn distance(self, point: Point) -> f64 {
        let (from, to) = match self {
            Stroke::Through(a, b) => match Stroke::bend_corner(a, b) {
                Some(corner) => return (point.distance(corner) - 0.5).abs(),
                None => (Point::middle(a), Point::middle(b)),
            },
            Stroke::End(side, _) => (Point::middle(side), self.end()),
        };
        let (along, offset) = (to - from, point - from);
        let share = (along.x * offset.x + along.y * offset.y) / (along.x * along.x + along.y * along.y);
        point.distance(from + along * share.clamp(0.0, 1.0))
    }

    /// The start of the line: the middle of its first side.
    pub(super) fn start(self) -> Point {
        match self {
            Stroke::Through(side, _) | Stroke::End(side, _) => Point::middle(side),
        }
    }

    /// Whether the line turns clockwise, with `y` to the south. `None` for a straight road.
    pub(super) fn turns_clockwise(self) -> Option<bool> {
        match self {
            // From the north to the west is a right turn, as from any side to the side before it.
            Stroke::Through(a, b) if self.is_bend() => Some((b as u8 + 1) % 4 == a as u8),
            _ => None,
        }
    }

    /// The end of the line: on the second side, or inside the tile.
    pub(super) fn end(self) -> Point {
        match self {
            Stroke::Through(_, side) => Point::middle(side),
            Stroke::End(side, length) => Point::middle(side) + (Point::CENTRE - Point::middle(side)) * (2.0 * length),
        }
    }

    /// A point beside the line, near its first side; of a bend on the outside.
    pub(super) fn beside(self) -> Point {
        let inward = Point::CENTRE - self.start();
        let along = self.start() + inward * 0.42;
        let across = Point { x: -inward.y, y: inward.x } * 0.46;
        let [right, left] = [along + across, along - across];
        if right.distance(self.middle()) + 1e-9 < left.distance(self.middle()) { left } else { right }
    }

    /// The middle of the line.
    pub(super) fn middle(self) -> Point {
        match self {
            Stroke::Through(a, b) => Stroke::bend_corner(a, b)
                .map_or(Point::CENTRE, |corner| corner + (Point::CENTRE - corner) * std::f64::consts::FRAC_1_SQRT_2),
            Stroke::End(side, _) => (Point::middle(side) + self.end()) * 0.5,
        }
    }
}

/// Whether a polygon contains a point, by the even-odd rule.
pub(super) fn contains(polygon: &[Point], point: Point) -> bool {
    let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed = sides.filter(|(a, b)| {
        (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points() -> impl Iterator<Item = Point> {
        (0..10_000).map(|n| Point { x: f64::from(n % 100) / 100.0 + 0.005, y: f64::from(n / 100) / 100.0 + 0.005 })
    }

    fn area(sides: &[Side]) -> usize {
        let polygon = Outline::of(|side| sides.contains(&side)).polygon();
        points().filter(|point| contains(&polygon, *point)).count()
    }

    #[test]
    fn a_city_grows_with_its_sides() {
        use Side::{East, North, South, West};
        let areas = [&[North][..], &[North, West], &[North, South], &[North, East, West], &Side::ALL].map(area);
        assert!(areas.is_sorted() && areas[0] > 1000 && areas[4] == 10_000, "{areas:?}");
        assert!(
            area(&[East, South]).abs_diff(areas[1]) < 10,
            "a rotation changes the area only by samples at the border"
        );
    }

    #[test]
    fn walls_that_end_in_one_corner_do_not_cross() {
        let polygons = Side::ALL.map(|side| Outline::of(|other| other == side).polygon());
        for point in points() {
            assert!(polygons.iter().filter(|polygon| contains(polygon, point)).count() <= 1, "{point:?}");
        }
    }

    #[test]
    fn a_bend_goes_round_the_corner_between_its_sides() {
        use Side::{East, North, South, West};
        for (a, b, x, y) in [(North, West, 0.0, 0.0), (West, South, 0.0, 1.0), (East, North, 1.0, 0.0)] {
            let stroke = Stroke::Through(a, b);
            assert!((stroke.middle().distance(Point { x, y }) - 0.5).abs() < 1e-9, "{stroke:?}");
            assert_eq!(stroke.turns_clockwise(), Some(b as u8 == (a as u8 + 3) % 4), "{stroke:?}");
        }
        assert_eq!(Stroke::Through(North, South).turns_clockwise(), None);
        assert!(Stroke::Through(North, South).distance(Point { x: 0.3, y: 0.9 }) - 0.2 < 1e-9);
    }
}
