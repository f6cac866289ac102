import { toNodeHandler } from '@genmount/node-http'
import { httpExtensionSuite, httpSuite, httpSuiteService } from '@genmount/testing/http'
import { afterAll, beforeAll, test } from 'vitest'
import { suiteOptions } from '../hosts/suite-options.ts'
import { listen } from '../loopback.ts'

type HttpSubject = Parameters<typeof httpSuite>[0]

export interface SuiteStore {
  /** The stores of the service. */
  readonly options: Parameters<typeof httpSuiteService>[0]
  /** The origin of the links of the file store, if it has links. */
  readonly linksTo?: string
  close?(): unknown
}

const subject = { baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }

/** The promises of the /v1 interface, and of the extensions those about uploads, of which a file store takes care. */
function suiteOn(served: HttpSubject): ReturnType<typeof httpSuite> {
  const extensions = Object.entries(httpExtensionSuite(served))
  const uploads = extensions.filter(([promise]) => promise.includes('upload'))
  return { ...httpSuite(served), ...Object.fromEntries(uploads) }
}

/** The promises that a service keeps. @param linksTo is given if its file store has links */
export function promisesWith(linksTo?: string): string[] {
  return Object.keys(suiteOn({ ...subject, ...(linksTo && { linksTo }) }))
}

/** Tests promises of the /v1 interface on a service with a store. */
export function testHttpSuite(
  title: string,
  open: () => Promise<SuiteStore>,
  promises: readonly string[],
): void {
  let suite: ReturnType<typeof httpSuite>

  beforeAll(async () => {
    const { options: stores, linksTo, close } = await open()
    const suiteService = httpSuiteService(stores)
    const { service, keys } = suiteService
    await service.ready()
    const server = await listen(toNodeHandler(service, suiteOptions(suiteService)))
    suite = suiteOn({ baseUrl: server.origin, keys, ...(linksTo && { linksTo }) })
    afterAll(async () => {
      await service.close()
      await server.stop()
      await close?.()
    })
  })

  test.concurrent.each(promises)(`${title}: %s`, (promise) => suite[promise]?.())
}
