import type { Page } from '../build/page-type.ts'
import { isAddress } from './check-page-options.ts'
import type { ServedPage } from './page-reply.ts'

/**
 * The headers that restrict the page. The policy allows the page's one script and one style by their hashes, so the
 * browser runs no injected script. `trusted-types` forbids making HTML from text.
 */
export function securityHeaders(
  { scriptHash, styleHash }: Page,
  { settings: { baseUrl }, otherOrigins, permissions }: ServedPage,
): Record<string, string> {
  const origins = [...new Set([...(isAddress(baseUrl) ? [new URL(baseUrl).origin] : []), ...otherOrigins])]
  const places = (...own: string[]) => [...own, ...origins].join(' ')
  const policy = {
    'default-src': "'none'",
    'script-src': `'sha256-${scriptHash}'`,
    'style-src': `'sha256-${styleHash}'`,
    'img-src': places("'self'", 'data:', 'blob:'),
    'media-src': places("'self'", 'blob:'),
    'connect-src': places("'self'"),
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }
  const forbidden = ['display-capture=()', 'geolocation=()', 'microphone=()', 'payment=()', 'usb=()']
  return {
    'content-security-policy': Object.entries(policy)
      .map((rule) => rule.join(' '))
      .join('; '),
    'permissions-policy': [...permissions, ...forbidden].join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
