import { type HttpSubject, httpSuiteService, type HttpSuiteService } from '@genmount/testing/http'
import type { LoopbackServer } from '../loopback.ts'

/** A way to run the service, ready to be put through the suite. */
export interface Host {
  readonly name: string
  /** Whether another host differs from this one in nothing but its path and who parses the bodies. */
  readonly isVariant: boolean
  start(): Promise<RunningHost>
}

export interface RunningHost {
  readonly subject: HttpSubject
  stop(): Promise<void>
}

export interface HostTraits extends Omit<Partial<HttpSubject>, 'baseUrl' | 'keys'> {
  /** The path under which the service is mounted, without a slash at its end. @default the root */
  readonly mountPath?: string
  /** @default false */
  readonly isVariant?: boolean
}

/** What the app around the service answers to paths that the service leaves to it. */
export const foreignBody = 'this is the app'

/** A host in this process, whose server `serve` starts with the service of the suite. */
export function hostInProcess(
  name: string,
  serve: (suite: HttpSuiteService) => Promise<LoopbackServer>,
  { mountPath = '', isVariant = false, ...traits }: HostTraits = {},
): Host {
  return {
    name,
    isVariant,
    async start() {
      const suite = httpSuiteService()
      const { origin, stop } = await serve(suite)
      return {
        subject: { baseUrl: origin + mountPath, keys: suite.keys, ...traits },
        async stop() {
          await suite.service.close()
          await stop()
        },
      }
    },
  }
}
