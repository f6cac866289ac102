export { httpExtensionSuite } from './http-suite/http-extension-suite.ts'
export { httpSuite } from './http-suite/http-suite.ts'
export {
  httpSuiteService,
  type HttpSuiteService,
  type HttpSuiteServiceOptions,
} from './http-suite/http-suite-service.ts'
export { httpVerdicts, runtimeVerdict } from './http-suite/http-verdicts.ts'
export type { HttpSubject } from './http-suite/suite-client.ts'
