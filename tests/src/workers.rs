//! Jobs on several threads, results in the order of the jobs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs `work` on every job with at most `threads` of them at a time. The results come back in the order of the jobs,
/// whatever order they ended in.
pub fn map<Job: Sync, Outcome: Send>(
    threads: usize,
    jobs: &[Job],
    work: impl Fn(&Job) -> Outcome + Sync,
) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::with_capacity(jobs.len()));
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let outcome = work(job);
                    done.lock()
                        .expect("no job panics while it holds the lock")
                        .push((index, outcome));
                }
            });
        }
    });
    let mut done = done
        .into_inner()
        .expect("no job panics while it holds the lock");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_jobs() {
        let jobs: Vec<usize> = (0..100).collect();
        assert_eq!(
            map(3, &jobs, |job| job * 2),
            (0..100).map(|job| job * 2).collect::<Vec<_>>()
        );
        assert_eq!(map(3, &[], |job: &usize| *job), Vec::<usize>::new());
    }
}
