/** The shapes of the icons, drawn as lines on a field of 24 by 24. */
const shapes = {
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  video: 'M3 6h12v12H3zM15 10l6-3v10l-6-3',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l9-9M16 7l3.5 3.5',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  code: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  input: 'M4 5h9M4 5v14h14v-9M20 4l-9 9M11 8v5h5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  stop: 'M6 6l12 12M18 6L6 18',
  redo: 'M4 12a8 8 0 1 1 2.3 5.6M4 18v-5h5',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  brush: 'M20 4c-6 2-9 6-10 9l2 2c3-1 7-4 8-11zM9.5 13.5C6 13.500 6 17 4 19c3 1 7 .5 7.500-3.500',
  dice: 'M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  check: 'M5 12.500l4.500 4.500L19 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  plus: 'M12 5v14M5 12h14',
  down: 'M6 9l6 6 6-6',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  moon: 'M19 14.500A8 8 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500z',
  sparkle: 'M12 3l2 6.500L20.500 12 14 14.500 12 21l-2-6.500L3.500 12 10 9.500z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2',
  undo: 'M4 9h10a5 5 0 0 1 0 10h-4M8 5L4 9l4 4',
} as const

export type IconName = keyof typeof shapes

/** An icon beside a text. The text has the meaning, so screen readers skip the icon. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
