//! Printed numbers beside ours, as the cells of tables: text for terminals, Markdown for documents.

use super::cell;
use crate::tables::captions;
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::paper::{PaperMatch, PaperMean, PaperRank};
use crate::tables::paper_pairs::{PaperPairMean, PaperPairRow};
use evouct_base::escape::plain_markdown;
use evouct_base::named::Named;
use evouct_league::config::Verdict;
use evouct_stats::Interval;

/// How cells are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    Text,
    Markdown,
}

impl Cells {
    fn is_text(self) -> bool {
        self == Cells::Text
    }

    /// A text of users.
    fn name(self, text: &str) -> String {
        if self.is_text() { text.to_owned() } else { plain_markdown(text) }
    }

    fn optional<T>(self, value: Option<T>, show: impl Fn(T) -> String) -> String {
        value.map_or_else(|| if self.is_text() { "-" } else { "–" }.to_owned(), show)
    }

    fn interval(self, ends: Option<Interval>, decimals: usize) -> String {
        self.optional(ends, |ends| format!("{:.decimals$} … {:.decimals$}", ends.low, ends.high))
    }

    fn wins(self, [home, away]: [u64; 2]) -> String {
        if self.is_text() { format!("{home}-{away}") } else { format!("{home}–{away}") }
    }

    fn pd(self, pd: Option<f64>) -> String {
        self.optional(pd, |pd| if self.is_text() { cell::signed(pd) } else { format!("{pd:+.1}") })
    }

    fn mean(self, statistic: Option<MeanWithInterval>) -> String {
        let half = |ends: Interval| format!(" ± {:.2}", (ends.high - ends.low) / 2.0);
        self.optional(statistic, |statistic| match self {
            Cells::Text => cell::plus_minus(&statistic, false),
            Cells::Markdown => {
                format!("{:.2}{}", statistic.mean, statistic.interval.map_or(String::new(), half))
            }
        })
    }

    /// The p-value of a difference and its verdict.
    fn judged(self, p: Option<f64>, verdict: Verdict) -> [String; 2] {
        let words = verdict.name();
        let is_bold = !self.is_text() && verdict == Verdict::Differs;
        [self.optional(p, cell::p_value), if is_bold { format!("**{words}**") } else { words.to_owned() }]
    }

    /// `player rank here points here 95 % p verdict`.
    pub(super) fn points(self, row: &PaperRank) -> [String; 8] {
        let [p, verdict] = self.judged(row.points_p, row.verdict);
        [
            self.name(&row.player),
            row.printed_rank.to_string(),
            self.optional(row.rank, |rank| rank.to_string()),
            self.optional(row.printed_points, |points| points.to_string()),
            self.optional(row.points, |points| points.to_string()),
            self.interval(row.points_interval, 0),
            p,
            verdict,
        ]
    }

    /// `PD here p verdict`.
    pub(super) fn differences(self, row: &PaperRank) -> [String; 4] {
        let [p, verdict] = self.judged(row.pd_p, row.pd_verdict);
        [self.pd(row.printed_pd), self.pd(row.pd), p, verdict]
    }

    /// `player 1, player 2, printed of here of share p verdict`.
    pub(super) fn game_counts(self, row: &PaperMatch) -> [String; 9] {
        let [p, verdict] = self.judged(row.p, row.verdict);
        [
            self.name(&row.home),
            self.name(&row.away),
            self.wins([row.printed_home_wins, row.printed_away_wins]),
            row.printed_games.to_string(),
            self.wins([row.home_wins, row.away_wins]),
            row.games.to_string(),
            self.interval(row.home_share, 2),
            p,
            verdict,
        ]
    }

    /// `player seat what printed of here of p verdict`.
    pub(super) fn seat_mean(self, row: &PaperMean) -> [String; 9] {
        let [p, verdict] = self.judged(row.p, row.verdict);
        [
            self.name(&row.player),
            row.seat.to_string(),
            row.measure.to_owned(),
            if self.is_text() { format!("{:.2}", row.printed) } else { row.printed.to_string() },
            row.printed_games.to_string(),
            self.mean(row.here),
            row.games.to_string(),
            p,
            verdict,
        ]
    }

    /// `player against printed rate here rate p verdict`.
    pub(super) fn pair(self, row: &PaperPairRow) -> [String; 8] {
        let [p, verdict] = self.judged(row.p, row.verdict);
        [
            self.name(&row.player),
            self.name(&row.opponent),
            captions::won_drawn_lost(&row.printed),
            captions::scoring_rate(&row.printed),
            captions::won_drawn_lost(&row.here),
            captions::scoring_rate(&row.here),
            p,
            verdict,
        ]
    }

    /// `player against what printed here p verdict`.
    pub(super) fn pair_mean(self, row: &PaperPairMean) -> [String; 7] {
        let [p, verdict] = self.judged(row.p, row.verdict);
        [
            self.name(&row.player),
            self.name(&row.opponent),
            row.measure.to_owned(),
            row.printed.to_string(),
            self.mean(row.here),
            p,
            verdict,
        ]
    }
}
