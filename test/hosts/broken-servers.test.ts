import { testBrokenServers } from './broken-servers.ts'
import { jobFaults } from './job-faults.ts'
import { listFaults } from './list-faults.ts'

// The deep suite has all other faults.
testBrokenServers({ ...jobFaults, ...listFaults })
