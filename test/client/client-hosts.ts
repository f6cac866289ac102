import { afterAll, beforeAll } from 'vitest'
import { type Host, hosts as ownHosts, type RunningHost } from '../hosts/hosts.ts'
import { projectHosts } from '../hosts/project-hosts.ts'
import { workerdHost } from '../hosts/workerd-host.ts'
import type { ClientSubject } from './client-suite.ts'

/**
 * The hosts at which the client is tried, beside Next, which `test/projects` builds. One is left out: its answers name an
 * address at which there is nothing, so no file of it can be fetched.
 */
const hosts: readonly Host[] = [...ownHosts, ...projectHosts, workerdHost].filter(
  ({ name }) => name !== 'node:http with a base URL',
)

/** @returns the servers of all hosts, node:http first, which run while the tests of this file run */
export function startedHosts(): readonly ClientSubject[] {
  const subjects: ClientSubject[] = []
  let running: readonly RunningHost[] = []
  beforeAll(async () => {
    running = await Promise.all(hosts.map((host) => host.start()))
    subjects.push(...running.map(({ subject: { baseUrl, keys } }) => ({ baseUrl, key: keys.alice })))
  })
  afterAll(() => Promise.all(running.map((host) => host.stop())))
  return subjects
}
