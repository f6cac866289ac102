import { testBrokenServers } from './broken-servers.ts'
import { extensionFaults } from './extension-faults.ts'
import { faults } from './faults.ts'

testBrokenServers({ ...faults, ...extensionFaults })
