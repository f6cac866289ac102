import { expressHosts } from '../hosts/express-hosts.ts'
import { fetchHosts } from '../hosts/fetch-hosts.ts'
import { nodeHosts } from '../hosts/node-hosts.ts'
import { projectHosts } from '../hosts/project-hosts.ts'
import { workerdHost } from '../hosts/workerd-host.ts'

/**
 * The hosts at which the client is tried, beside Next, which `test/projects` builds. One is left out: its answers name an
 * address at which there is nothing, so no file of it can be fetched.
 */
export const clientHosts = [
  ...nodeHosts,
  ...expressHosts,
  ...fetchHosts,
  ...projectHosts,
  workerdHost,
].filter(({ name }) => name !== 'node:http with a base URL')
