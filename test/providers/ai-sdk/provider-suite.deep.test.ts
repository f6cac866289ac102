import { isBrief, testSdks } from './test-sdks.ts'

testSdks((vendor, name) => !isBrief(vendor, name))
