package replay

import (
	"cmp"
	"context"
	"sync"
)

// A job is one merge, and later what was found there.
type job[T any] struct {
	commit int
	found  chan T
}

// inOrder gives the merges of r to workers, which do them, and takes what comes
// of them in order, until that is an error. No more than a few merges are under
// way, however long one of them takes. When it returns, no worker is at work.
func inOrder[T any](ctx context.Context, r *run, do func(*merger, int) T, take func(T) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	queue, work := make(chan job[T], 16*r.Jobs), make(chan job[T])
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range r.Jobs {
		workers.Go(func() { worker(ctx, r, work, do) })
	}
	go hand(ctx, r.merges, queue, work)
	for j := range queue {
		select {
		case f := <-j.found:
			err = take(f)
		case <-ctx.Done():
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// hand hands the merges out, each to the queue of all and to a worker.
func hand[T any](ctx context.Context, merges []int, queue, work chan<- job[T]) {
	defer close(queue)
	defer close(work)
	for _, c := range merges {
		j := job[T]{c, make(chan T, 1)}
		for _, to := range []chan<- job[T]{queue, work} {
			select {
			case to <- j:
			case <-ctx.Done():
				return
			}
		}
	}
}

// worker does merges until there are no more.
func worker[T any](ctx context.Context, r *run, work <-chan job[T], do func(*merger, int) T) {
	m := &merger{run: r, bases: r.graph.NewBases()}
	for j := range work {
		f := do(m, j.commit)
		if ctx.Err() != nil {
			return // git was ended within this merge, maybe
		}
		j.found <- f
	}
}
