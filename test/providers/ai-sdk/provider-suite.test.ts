import { isBrief, testSdks } from './test-sdks.ts'

// The deep suite has the other cases of the other vendors.
testSdks(isBrief)
