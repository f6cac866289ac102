import type { SqliteBackendOptions } from '@genmount/backend-sqlite'
import type { ServeOptions } from '@genmount/cli'
import type {
  CallOptions,
  ClientOptions,
  CreateOptions,
  GenerateOptions,
  JobFilter,
  UploadOptions,
  WaitOptions,
} from '@genmount/client'
import type {
  FetchLimits,
  GenerationServiceOptions,
  GenerationService,
  MemoryBackendOptions,
  Model,
  Provider,
} from '@genmount/core'
import { createGenerationService, optional, type OptionTable, type ServicePlugin, text } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { usage } from '@genmount/core/usage'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import type { GuardedFetchOptions } from '@genmount/guarded-fetch'
import type { DiskFilesOptions } from '@genmount/files-disk'
import { apiKeys, toNodeHandler, type MountedV1Options } from '@genmount/node-http'
import type { A1111Model, A1111ProviderOptions } from '@genmount/provider-a1111'
import type { MountedPlaygroundOptions, PlaygroundOptions } from '@genmount/playground'
import type { AiSdkProviderOptions, ModelTaskOptions } from '@genmount/provider-ai-sdk'
import type { BflModel, BflProviderOptions } from '@genmount/provider-bfl'
import type { ArkModel, ArkProviderOptions } from '@genmount/provider-ark'
import type { ComfyuiProviderOptions } from '@genmount/provider-comfyui'
import type { ComfyApiModel, ComfyApiOptions } from '@genmount/provider-comfyui/api-v2'
import type { ComfyRouterModel, ComfyRouterOptions } from '@genmount/provider-comfyui/router'
import type { EsrganProviderOptions } from '@genmount/provider-esrgan'
import type { FalModel, FalProviderOptions } from '@genmount/provider-fal'
import type { GeminiOmniModel, GeminiOmniProviderOptions } from '@genmount/provider-google/omni'
import type { GoogleModel, GoogleProviderOptions } from '@genmount/provider-google'
import type { KlingModel, KlingProviderOptions } from '@genmount/provider-kling'
import type { OpenaiModel, OpenaiProviderOptions } from '@genmount/provider-openai'
import type { OpenaiCompatibleModel, OpenaiCompatibleOptions } from '@genmount/provider-openai/compatible'
import type { OpenaiResponsesModel, OpenaiResponsesOptions } from '@genmount/provider-openai/responses'
import type { ProceduralProviderOptions } from '@genmount/provider-procedural'
import type { ReplicateModel, ReplicateProviderOptions } from '@genmount/provider-replicate'
import type {
  RunpodEndpoint,
  RunpodPolicy,
  RunpodProviderOptions,
  RunpodWorkflow,
} from '@genmount/provider-runpod'
import type { RunwayModel, RunwayProviderOptions } from '@genmount/provider-runway'
import type { XaiModel, XaiProviderOptions } from '@genmount/provider-xai'
import type { McpHandlerOptions, McpOptions } from '@genmount/mcp'
import type { OpenaiInterfaceOptions } from '@genmount/openai-interface'
import type { OpenTelemetryOptions } from '@genmount/opentelemetry'
import type { ProvenanceOptions } from '@genmount/provenance'
import type { BullmqSchedulerOptions, RedisSignalsOptions } from '@genmount/scheduler-bullmq'
import type { V1Options } from '@genmount/v1-interface'
import type { VariantsOptions } from '@genmount/variants'
import type { SignedWebhooksOptions } from '@genmount/webhooks'
import express from 'express'
import { describe, expectTypeOf, test } from 'vitest'

/** The options that may be left out, but that an app with `exactOptionalPropertyTypes` can't set to `undefined`. */
type Inexact<Options> = {
  [Key in keyof Options]-?: object extends Pick<Options, Key>
    ? { readonly [Given in Key]: undefined } extends Pick<Options, Key>
      ? never
      : Key
    : never
}[keyof Options]

/** The keys of all of them that are inexact. */
type NoneInexact<All extends readonly unknown[]> = { [Index in keyof All]: Inexact<All[Index]> }[number]

test('the type test tells options that can not be undefined from options that can and options that are required', () => {
  expectTypeOf<Inexact<{ a?: string; b?: string | undefined; c: string }>>().toEqualTypeOf<'a'>()
})

test('an optional option of a service, store or host may be undefined, such as a variable that is not set', () => {
  expectTypeOf<
    NoneInexact<
      [
        GenerationServiceOptions,
        V1Options,
        MountedV1Options,
        MemoryBackendOptions,
        SqliteBackendOptions,
        DiskFilesOptions,
        BullmqSchedulerOptions,
        CallOptions,
        ClientOptions,
        CreateOptions,
        GenerateOptions,
        JobFilter,
        UploadOptions,
        WaitOptions,
        MountedPlaygroundOptions,
        McpHandlerOptions,
        McpOptions,
        OpenaiInterfaceOptions,
        OpenTelemetryOptions,
        PlaygroundOptions,
        ProvenanceOptions,
        VariantsOptions,
        RedisSignalsOptions,
        ServeOptions,
        SignedWebhooksOptions,
        Pick<Model, 'retentionDays' | 'typicalMs'>,
        Pick<Provider, 'dedupesSubmits' | 'callTimeoutMs' | 'maxConcurrentJobs'>,
      ]
    >
  >().toEqualTypeOf<never>()
})

test('an optional option of a provider and of its models may be undefined', () => {
  expectTypeOf<
    NoneInexact<
      [
        AiSdkProviderOptions,
        ModelTaskOptions,
        BflProviderOptions,
        BflModel,
        ArkProviderOptions,
        ArkModel,
        ComfyApiModel,
        ComfyApiOptions,
        ComfyRouterModel,
        ComfyRouterOptions,
        ComfyuiProviderOptions,
        EsrganProviderOptions,
        FalProviderOptions,
        FalModel,
        GeminiOmniModel,
        GeminiOmniProviderOptions,
        GoogleModel,
        GoogleProviderOptions,
        OpenaiProviderOptions,
        OpenaiModel,
        OpenaiResponsesOptions,
        OpenaiResponsesModel,
        OpenaiCompatibleOptions,
        OpenaiCompatibleModel,
        A1111ProviderOptions,
        A1111Model,
        ProceduralProviderOptions,
        ReplicateProviderOptions,
        ReplicateModel,
        RunpodProviderOptions,
        RunpodEndpoint,
        RunpodWorkflow,
        RunpodPolicy,
        RunwayProviderOptions,
        KlingModel,
        KlingProviderOptions,
        RunwayModel,
        XaiProviderOptions,
        XaiModel,
      ]
    >
  >().toEqualTypeOf<never>()
})

test('the table of checks of a factory has each of its options and no other', () => {
  type Options = { readonly name: string; readonly owner?: string | undefined }
  const table = { name: text(), owner: optional(text()) }
  expectTypeOf(table satisfies OptionTable<Options>).toEqualTypeOf<typeof table>()
  // @ts-expect-error owner has no check.
  void ({ name: text() } satisfies OptionTable<Options>)
  // @ts-expect-error There is no option of this name.
  void ({ name: text(), owner: optional(text()), owners: text() } satisfies OptionTable<Options>)
})

test('guardedFetch accepts every option that a service passes to a fetch of files', () => {
  expectTypeOf<keyof FetchLimits>().toExtend<keyof GuardedFetchOptions>()
})

declare const provider: Provider
declare const service: GenerationService

describe('the compiler reports a mistake in the options', () => {
  test('of a service', () => {
    createGenerationService({ providers: [provider], retentionDays: undefined, keepOutputs: 'redirect' })
    // @ts-expect-error There is no service without providers.
    createGenerationService({})
    // @ts-expect-error A word that there is not.
    createGenerationService({ providers: [provider], onAmbiguousSubmit: 'retry' })
    // @ts-expect-error Misspelt.
    createGenerationService({ providers: [provider], retentiondays: 7 })
    // @ts-expect-error A number of days, not a text.
    createGenerationService({ providers: [provider], retentionDays: '7' })
  })

  test('of every host, such as a missing authenticate', () => {
    const options: V1Options = {
      authenticate: apiKeys({ alice: 'alice-key' }),
      baseUrl: process.env['BASE_URL'],
    }
    expectTypeOf(toNodeHandler(service, options)).toBeCallableWith({} as never, {} as never)
    expectTypeOf(toFetchHandler(service, options)).toBeCallableWith(new Request('http://app.example'))
    express().use('/media', toExpressMiddleware(service, options))
    // @ts-expect-error authenticate is missing.
    toNodeHandler(service, {})
    // @ts-expect-error authenticate is missing.
    toFetchHandler(service, {})
    // @ts-expect-error authenticate is missing.
    toExpressMiddleware(service, {})
  })

  test('of an authenticate that reads another request than that of its host', () => {
    type SignedIn = express.Request & { session?: { userId?: string } }
    const ownerOf = (userId: string | undefined) => (userId === undefined ? null : { owner: userId })
    express().use(
      toExpressMiddleware<SignedIn>(service, {
        credentials: 'any',
        authenticate: ({ request }) => ownerOf(request.session?.userId),
      }),
      toExpressMiddleware(service, {
        credentials: 'any',
        authenticate: ({ request }: { request: SignedIn }) => ownerOf(request.session?.userId),
      }),
    )
    toNodeHandler(service, {
      credentials: 'any',
      authenticate: ({ token, request }) => ownerOf(token ?? request.headers.cookie),
    })
    const handle = toFetchHandler<{ readonly userId: string }>(service, {
      credentials: 'any',
      authenticate: ({ request, context }) => ownerOf(request.headers.get('cookie') ?? context?.userId),
    })
    expectTypeOf(handle).toBeCallableWith(new Request('http://app.example'), { userId: 'alice' })
    const keys = apiKeys({ alice: 'alice-key' })
    const options: V1Options = {
      credentials: 'any',
      authenticate: ({ token }) => (token === undefined ? null : keys(token)),
    }
    toNodeHandler(service, options)
    toFetchHandler(service, options)
    toExpressMiddleware(service, options)
    // @ts-expect-error A request that need not have a token does not fit a function that needs one.
    toFetchHandler(service, { credentials: 'any', authenticate: keys })
    // @ts-expect-error Without credentials, authenticate gets a token and nothing of the host.
    toNodeHandler(service, { authenticate: ({ request }) => ownerOf(request.headers.cookie) })
    // @ts-expect-error A word that there is not.
    toNodeHandler(service, { credentials: 'cookie', authenticate: keys })
  })

  test('of an authenticate that returns neither an owner nor null', () => {
    expectTypeOf<V1Options['authenticate']>().toExtend<(...args: never) => unknown>()
    toFetchHandler(service, { authenticate: async (token) => (token === '' ? null : { owner: 'alice' }) })
    toFetchHandler(service, { authenticate: (_token, request) => ({ owner: request.method }) })
    // @ts-expect-error true names nobody.
    toFetchHandler(service, { authenticate: () => true })
    // @ts-expect-error An owner is a text.
    toFetchHandler(service, { authenticate: () => ({ owner: 7 }) })
  })
})

test('a service has the methods of the plugins in its list, and no others', () => {
  const silent: ServicePlugin = { name: 'silent', attach: () => ({}) }
  const plain = createGenerationService({ providers: [provider], plugins: [silent] })
  expectTypeOf(plain).toEqualTypeOf<GenerationService>()
  expectTypeOf(createGenerationService({ providers: [provider] })).toEqualTypeOf<GenerationService>()
  // @ts-expect-error The plugin usage is not in the list.
  void plain.usage
  const counting = createGenerationService({ providers: [provider], plugins: [usage(), limits({})] })
  expectTypeOf(counting.costs).toBeFunction()
  expectTypeOf(counting.grant).toBeFunction()
  expectTypeOf(counting).toExtend<GenerationService>()
})
