import { hosts } from './hosts.ts'
import { everyCase, testHosts } from './test-hosts.ts'

// The other hosts go through every case in `npm test`.
testHosts(
  hosts.filter(({ isVariant }) => isVariant),
  () => everyCase,
)
