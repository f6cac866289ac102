import { Icon } from './icon.tsx'

/** The mark of genmount, and the name of the page. */
export function Brand({ page }: { page: string }) {
  return (
    <span class="brand">
      <span class="brand-mark">
        <Icon name="sparkle" />
      </span>
      genmount <span class="faint">{page}</span>
    </span>
  )
}
