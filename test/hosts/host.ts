import type { HttpSubject } from '@genmount/testing/http'

/** A way to run the service, ready to be put through the suite. */
export interface Host {
  readonly name: string
  start(): Promise<RunningHost>
}

export interface RunningHost {
  readonly subject: HttpSubject
  stop(): Promise<void>
}

/** What the app around the service answers to paths that the service leaves to it. */
export const foreignBody = 'this is the app'
