import type { Job } from '../contracts/job.ts'
import type { Route } from '../routing/routes.ts'
import type { Clock } from '../contracts/clock.ts'
import { append, type Linked, type LinkedList, takeOut } from '../lists/linked-list.ts'
import { expectedUsd } from '../pricing/expected-usd.ts'
import { tally } from '../pacing/ending.ts'

/** A job and the route by which it is submitted. */
interface RoutedJob {
  readonly job: Job
  readonly route: Route
}

/** What is lost if the process ends now. */
export interface Stake {
  /** How many submits providers have not answered yet. */
  readonly submits: number
  /** What those with a known price cost, in US dollars. */
  readonly usd: number
  /** How many of them have no price that is known before the answer. */
  readonly unpriced: number
  /** The longest time that one of them may still take, in milliseconds. */
  readonly longestMs: number
}

/** The submits of this process that providers have not answered yet. Each of them may have to be paid for. */
export interface SubmitsUnderWay {
  /** Adds a submit. @returns a function that removes it */
  begin(step: RoutedJob): () => void
  stake(): Stake
  /** Resolves when there is none. */
  settled(): Promise<void>
}

interface Submit extends Linked<Submit> {
  readonly step: RoutedJob
  /** In milliseconds of the clock's uptime. */
  readonly beganAt: number
}

/** Makes the list of one service. */
export function submitsUnderWay(clock: Clock): SubmitsUnderWay {
  const list: LinkedList<Submit> = {}
  const { begin, end, settled } = tally()

  return {
    begin(step) {
      const submit: Submit = { step, beganAt: clock.uptime() }
      append(list, submit)
      begin()
      return () => {
        takeOut(list, submit)
        end()
      }
    },
    stake() {
      let [submits, usd, unpriced, longestMs] = [0, 0, 0, 0]
      for (let submit = list.first; submit; submit = submit.after) {
        const { job, route } = submit.step
        const model = route.provider.models.find(({ id }) => id === route.model)
        const price = expectedUsd(model?.price, job.input ?? {})
        submits++
        usd += price ?? 0
        if (price === undefined) unpriced++
        longestMs = Math.max(
          longestMs,
          submit.beganAt + route.gate.callTimeoutMsOf(route.model) - clock.uptime(),
        )
      }
      return { submits, usd, unpriced, longestMs }
    },
    settled,
  }
}
