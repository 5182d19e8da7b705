package history

import (
	"cmp"
	"context"
	"runtime"
	"sync"
)

// A job is one merge, and later that something was done with it.
type job struct {
	merge *Merge
	done  chan struct{}
}

// inOrder gives the merges of w to workers, which do something with them, and takes them in
// order, until that is an error. No more than a few merges are
// under way, however long one of them takes. When it returns, no worker is at work.
func inOrder(ctx context.Context, w *walk, do func(*walk, *Merge), take func(*Merge) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	n := runtime.GOMAXPROCS(0)
	queue, work := make(chan job, 16*n), make(chan job)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range n {
		workers.Go(func() {
			for j := range work {
				if do(w, j.merge); ctx.Err() != nil {
					return // git was ended within this merge, maybe
				}
				close(j.done)
			}
		})
	}
	var failed error
	workers.Go(func() {
		defer close(queue)
		defer close(work)
		failed = w.chunks(func(m *Merge) bool {
			j := job{m, make(chan struct{})}
			for _, to := range []chan<- job{queue, work} {
				select {
				case to <- j:
				case <-ctx.Done():
					return false
				}
			}
			return true
		})
	})
	for j := range queue {
		select {
		case <-j.done:
			err = take(j.merge)
			*j.merge = Merge{} // what it held is of no more use
		case <-ctx.Done():
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return cmp.Or(ctx.Err(), failed)
}
