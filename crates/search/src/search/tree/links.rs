//! Links from an edge, or from a node of chance, to the nodes that follow it, one per outcome of chance.
//!
//! The links of an edge are a chain of blocks, and the newest block is its head. In a long search most of a tree is in
//! no cache, and the search for an outcome waits once per block, not once per link.

use evouct_base::prefetch::prefetch;

/// No link.
pub(super) const NONE: u32 = u32::MAX;

/// The most links of a block: with outcomes of a byte it is three quarters of a cache line.
const LINKS: usize = 7;

/// Some links of an edge, the oldest first.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Block<Outcome> {
    /// None if a seat plays at once, or if outcomes are not distinguished.
    outcomes: [Option<Outcome>; LINKS],
    nodes: [u32; LINKS],
    count: u8,
    /// The block before it.
    next: u32,
}

/// The links of a tree.
#[derive(PartialEq, Debug)]
pub(super) struct Links<Outcome> {
    blocks: Vec<Block<Outcome>>,
}

impl<Outcome: Copy> Clone for Links<Outcome> {
    fn clone(&self) -> Links<Outcome> {
        Links { blocks: self.blocks.clone() }
    }

    fn clone_from(&mut self, other: &Links<Outcome>) {
        self.blocks.clone_from(&other.blocks);
    }
}

impl<Outcome: Copy + Eq> Links<Outcome> {
    /// No links.
    pub(super) fn new() -> Links<Outcome> {
        Links { blocks: Vec::new() }
    }

    /// Removes all links and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }

    /// The bytes of all blocks.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.blocks)
    }

    /// Asks for the newest links of a chain.
    #[inline]
    pub(super) fn prefetch(&self, head: u32) {
        if let Some(block) = self.blocks.get(head as usize) {
            prefetch(block);
        }
    }

    /// The node that this outcome leads to.
    #[inline]
    pub(super) fn find(&self, head: u32, outcome: Option<Outcome>) -> Option<usize> {
        let mut next = head;
        while next != NONE {
            let Block { outcomes, nodes, count, next: before } = &self.blocks[next as usize];
            let places = 0..usize::from(*count).min(LINKS);
            if let Some(place) = places.into_iter().find(|place| outcomes[*place] == outcome) {
                return Some(nodes[place] as usize);
            }
            next = *before;
        }
        None
    }

    /// Adds a link to a node.
    pub(super) fn add(&mut self, head: &mut u32, outcome: Option<Outcome>, node: u32) {
        if *head == NONE || usize::from(self.blocks[*head as usize].count) == LINKS {
            let next = std::mem::replace(head, self.blocks.len() as u32);
            self.blocks.push(Block { outcomes: [None; LINKS], nodes: [NONE; LINKS], count: 0, next });
        }
        let block = &mut self.blocks[*head as usize];
        let place = usize::from(block.count);
        (block.outcomes[place], block.nodes[place]) = (outcome, node);
        block.count += 1;
    }

    /// Outcomes and the nodes that they lead to, the newest first.
    #[inline]
    pub(super) fn list(&self, head: u32) -> impl Iterator<Item = (Option<Outcome>, usize)> {
        let block = |number: u32| self.blocks.get(number as usize);
        std::iter::successors(block(head), move |last| block(last.next)).flat_map(|block| {
            let places = (0..usize::from(block.count)).rev();
            places.map(|place| (block.outcomes[place], block.nodes[place] as usize))
        })
    }

    /// The number of links.
    pub(super) fn count(&self) -> usize {
        self.blocks.iter().map(|block| usize::from(block.count)).sum()
    }

    /// Checks that a chain ends: a block comes after those that follow it in the chain.
    ///
    /// # Errors
    /// The first block that does not.
    pub(super) fn check(&self, head: u32) -> Result<(), String> {
        let (mut next, mut above) = (head, NONE);
        while next != NONE {
            let block = self.blocks.get(next as usize).filter(|_| next < above);
            let block = block.ok_or_else(|| format!("block {next} of links does not exist or comes after {above}"))?;
            if block.count == 0 || usize::from(block.count) > LINKS {
                return Err(format!("a block has {} links, expected 1 to {LINKS}", block.count));
            }
            (above, next) = (next, block.next);
        }
        Ok(())
    }

    /// Makes the first link lead to another node.
    #[cfg(test)]
    pub(super) fn redirect(&mut self, node: u32) {
        self.blocks[0].nodes[0] = node;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_lead_to_their_nodes() {
        let mut links = Links::new();
        let mut heads = [NONE; 3];
        for node in 0..60 {
            links.add(&mut heads[node as usize % 3], (node >= 3).then_some(node / 3), node);
        }
        for (which, head) in heads.into_iter().enumerate() {
            for number in 0..20 {
                assert_eq!(links.find(head, (number > 0).then_some(number)), Some(3 * number as usize + which));
            }
            assert_eq!(links.find(head, Some(20)), None);
            let nodes: Vec<usize> = links.list(head).map(|(_, node)| node).collect();
            assert_eq!(nodes, (0..20).rev().map(|number| 3 * number + which).collect::<Vec<_>>());
            assert_eq!(links.check(head), Ok(()));
        }
        assert_eq!((links.count(), links.find(NONE, None), links.list(NONE).count()), (60, None, 0));
        // A block that follows itself.
        let own = heads[0];
        links.blocks[own as usize].next = own;
        assert!(links.check(own).unwrap_err().contains("comes after"));
        links.blocks[own as usize].count = 0;
        assert!(links.check(own).unwrap_err().contains("0 links"));
    }
}
