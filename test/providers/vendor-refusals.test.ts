import type { Provider } from '@genmount/core'
import { expect, test } from 'vitest'
import {
  ark,
  bfl,
  fal,
  google,
  kling,
  openai,
  outcomeOf,
  replicate,
  runway,
  token,
  xai,
} from './answering-vendors.ts'

// When a vendor refuses a task: what operators read in the log, and what owners read.

const noCredit = 'The account of this service at the provider has no credit left.'
const noAccess = 'The provider does not accept the credentials of this service.'

/** Each with its source: the answer, what the owner reads, and what the log has of the vendor's words. */
const refusals: readonly (readonly [string, Provider, string, string])[] = [
  [
    // github.com/fal-ai/fal/issues/1147, 1162, 1163 (2026-08 and 2026-09)
    'the lock of fal for want of credit',
    fal(403, {
      detail: 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing',
    }),
    noCredit,
    'Exhausted balance. Top up your balance',
  ],
  [
    // github.com/fal-ai/fal/issues/1163 (2026-09)
    'the other words of fal for want of credit',
    fal(403, { detail: 'User is locked. Reason: TOP_UP.' }),
    noCredit,
    'Reason: TOP_UP.',
  ],
  [
    // github.com/fal-ai/fal/issues/1168 (2026-09)
    'the lock of fal by an administrator',
    fal(403, { detail: 'User is locked. Reason: Admin lock. Please contact support@fal.ai' }),
    'The provider has locked the account of this service.',
    'Admin lock. Please contact support@fal.ai',
  ],
  [
    // github.com/openai-php/client/issues/565; receptron/mulmocast-app#1090 (2025-10) has the status
    'an organisation that OpenAI has not verified',
    openai(403, {
      error: {
        message:
          'Your organization must be verified to use the model `gpt-image-2`. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    }),
    'The organisation of this service has not been verified by the provider, which this model needs.',
    'click on Verify Organization',
  ],
  [
    // https://platform.openai.com/docs/guides/error-codes, 401 Incorrect API key provided
    'a wrong key of OpenAI',
    openai(401, {
      error: { message: `Incorrect API key provided: ${token}.`, type: 'x', code: 'invalid_api_key' },
    }),
    noAccess,
    'Incorrect API key provided: [secret]',
  ],
  [
    // https://platform.openai.com/docs/guides/error-codes, 429 You exceeded your current quota
    'an exhausted quota of OpenAI',
    openai(429, { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } }),
    noCredit,
    'You exceeded your current quota.',
  ],
  [
    // https://ai.google.dev/gemini-api/docs/troubleshooting, PERMISSION_DENIED
    'a key of Google without rights',
    google(403, {
      error: { code: 403, message: 'Your API key was reported as leaked.', status: 'PERMISSION_DENIED' },
    }),
    noAccess,
    'Your API key was reported as leaked.',
  ],
  [
    // black-forest-labs/skills@d0793c8 skills/bfl-api/references/error-handling.md
    'a lack of credits at Black Forest Labs',
    bfl(402, { error: 'insufficient_credits', message: 'Your account does not have enough credits' }),
    noCredit,
    'Your account does not have enough credits',
  ],
  [
    // black-forest-labs/skills@d0793c8 skills/bfl-api/SKILL.md: "Not authenticated"; detail as FastAPI has it
    'a wrong key of Black Forest Labs',
    bfl(403, { detail: `Not authenticated: ${token}` }),
    noAccess,
    'Not authenticated: [secret]',
  ],
  [
    // Seen in many logs since 2025, with status 400: "You do not have enough credits to run this task."
    'a lack of credits at Runway, which answers 400',
    runway(400, {
      error: 'You do not have enough credits to run this task.',
      docUrl: 'https://docs.dev.runwayml.com/api',
    }),
    noCredit,
    'You do not have enough credits to run this task.',
  ],
  [
    // https://docs.dev.runwayml.com/api-details/errors: 401, "The provided API key is not valid."
    'a wrong key of Runway',
    runway(401, { error: `The provided API key is not valid: ${token}` }),
    noAccess,
    'The provided API key is not valid: [secret]',
  ],
  [
    // kling.ai/document-api/api/get-started/error-codes, second hand: 429 and 1102
    'a spent package of Kling, which answers 429',
    kling(429, { code: 1102, message: 'Resource pack depleted or expired', request_id: 'r' }),
    noCredit,
    'Resource pack depleted or expired',
  ],
  [
    // The same: 429 and 1101; gateways send it with 200
    'an account at Kling that owes money, in an answer with 200',
    kling(200, { code: 1101, message: 'Account in arrears', request_id: 'r' }),
    noCredit,
    'Account in arrears',
  ],
  [
    // The same: 401 and 1002
    'a wrong key of Kling',
    kling(401, { code: 1002, message: `Authorization is invalid: ${token}`, request_id: 'r' }),
    noAccess,
    'Authorization is invalid: [secret]',
  ],
  [
    // The same: 429 and 1304
    'an address that is not on the list of an account at Kling',
    kling(429, { code: 1304, message: 'Trigger the IP whitelist policy', request_id: 'r' }),
    noAccess,
    'Trigger the IP whitelist policy',
  ],
  [
    // https://replicate.com/docs/reference/http, problem details
    'a lack of credit at Replicate',
    replicate(402, {
      title: 'Insufficient credit',
      detail: 'You have insufficient credit to run this model.',
      status: 402,
    }),
    noCredit,
    'You have insufficient credit to run this model.',
  ],
  [
    // volcengine.com/docs/82379/1299023
    'an account at ModelArk that owes money',
    ark(403, {
      error: {
        code: 'AccountOverdueError',
        message: 'The request failed because your account has an overdue balance. Request ID: 0217',
      },
    }),
    noCredit,
    'your account has an overdue balance',
  ],
  [
    // volcengine.com/docs/82379/1299023: the free trial is used up, and the model is not activated
    'a used up trial of ModelArk',
    ark(429, {
      error: {
        code: 'QuotaExceeded',
        message: 'Your account has exhausted its free trial quota for the model.',
      },
    }),
    noCredit,
    'exhausted its free trial quota',
  ],
  [
    // volcengine.com/docs/82379/1299023
    'a wrong key of ModelArk',
    ark(401, {
      error: {
        code: 'AuthenticationError',
        message: `The API key ${token} in the request is missing or invalid.`,
      },
    }),
    noAccess,
    'The API key [secret] in the request',
  ],
  [
    // docs.x.ai/developers/debugging (read in November 2026): 400 for a wrong key
    'a wrong key of xAI',
    xai(400, {
      code: 'Client specified an invalid argument',
      error: `Incorrect API key provided: ${token}. You can obtain an API key from https://console.x.ai.`,
    }),
    noAccess,
    'Incorrect API key provided: [secret]',
  ],
  [
    // github.com/continuedev/continue/issues/10373 (2026-02)
    'spent credits at xAI',
    xai(429, {
      code: 'Some resource has been exhausted',
      error:
        'Your team 16f2 has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
    }),
    noCredit,
    'reached its monthly spending limit',
  ],
  [
    // The words of xAI to new teams, as its customers quote them (2026-07)
    'a team without credits at xAI',
    xai(403, {
      code: 'permission-denied',
      error:
        "Your newly created team doesn't have any credits or licenses yet. You can purchase those on https://console.x.ai.",
    }),
    noCredit,
    'You can purchase those on',
  ],
]

test.each(refusals)(
  'after %s, the owner of the job reads what is wrong, and the log has the words of the vendor',
  async (_what, provider, toOwner, inLog) => {
    const { verdict, message, lines } = await outcomeOf(provider, false)
    expect([verdict, message]).toEqual(['provider_rejected', toOwner])
    expect(lines).toContain(inLog)
    expect(lines).not.toContain('0123456789abcdef')
  },
)
