import { Icon } from '@genmount/page-kit/page'
import { useEffect, useState } from 'preact/hooks'

/** Copies a text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      class="button plain square small"
      title={label}
      onClick={() =>
        void navigator.clipboard?.writeText(text).then(
          () => setIsCopied(true),
          () => {},
        )
      }
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="unseen">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}
