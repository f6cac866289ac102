export { manualClock, type ManualClock } from './clock/manual-clock.ts'
export {
  lost,
  nonsense,
  refused,
  type FakeBehaviour,
  type FakeFault,
  type FakeReport,
  type FakeScript,
} from './fake-provider/fake-behaviour.ts'
export { fakeModels, type FakeInput } from './fake-provider/fake-models.ts'
export { fakeFile, type FakeFile } from './fake-provider/fake-file.ts'
export {
  fakeProvider,
  type FakeCall,
  type FakeProvider,
  type FakeProviderOptions,
} from './fake-provider/fake-provider.ts'
export type { ProxyAnswer, ProxyDelay, ProxyFault } from './fault-proxy/proxy-fault.ts'
export { startFaultProxy, type FaultProxy, type ProxiedRequest } from './fault-proxy/start-fault-proxy.ts'
export type { LedgerEntry } from './fake-provider/fake-vendor.ts'
export { cpuTimeOf } from './clock/cpu-time.ts'
export { exampleJob } from './jobs/example-job.ts'
export {
  jobStoreSuite,
  type JobStoreSubject,
  type JobStoreSuiteOptions,
} from './suites/job-store/job-store-suite.ts'
export type { Subject, Suite } from './suites/suite.ts'
export { backendSuite, type BackendSubject } from './suites/backend/backend-suite.ts'
export { jobSignalsSuite, type JobSignalsSubject } from './suites/job-signals/job-signals-suite.ts'
export { schedulerSuite, type SchedulerSubject } from './suites/scheduler/scheduler-suite.ts'
export { fileStoreSuite } from './suites/file-store/file-store-suite.ts'
export type { FileStoreSubject } from './suites/file-store/stored-file.ts'
export { pluginSuite } from './suites/plugin/plugin-suite.ts'
export type { PluginSubject } from './suites/plugin/plugin-world.ts'
export type { OptionalMember } from './suites/provider/capability-cases.ts'
export { providerSuite, type ProviderSuiteChoices } from './suites/provider/provider-suite.ts'
export type {
  HostedProviderSubject,
  LocalProviderSubject,
  ProviderSubject,
  ProviderSuiteOptions,
  Sample,
} from './suites/provider/provider-subject.ts'
export { fakeWebhooks, type FakeWebhooks } from './world/fake-webhooks.ts'
export { fakeWorld, type FakeWorld, type MortalService, type ProcessChanges } from './world/fake-world.ts'
export { quietLog, type QuietLog } from './world/quiet-log.ts'
export { survivingStore, type MortalBackend, type SurvivingStore } from './world/surviving-store.ts'
