import type { MenuIconName } from '../contract/user/menu.ts'

/** Lines of a 16 × 16 drawing. */
const drawings: Readonly<Record<MenuIconName, string>> = {
  home: 'm2.5 7.5 5.5-5 5.5 5M4 6.5v7h8v-7',
  review: 'M3.5 2.5h9v11h-9zM5.8 8l1.6 1.6 3-3.2',
  money: 'M1.8 4.5h12.4v7H1.8zM8 6.4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2',
  phone: 'M4.8 2.5 6.5 6 5 7.3A8 8 0 0 0 8.7 11L10 9.5l3.5 1.7v2.3C7.5 14 2 8.5 2.5 2.5z',
  headset: 'M3 9V7.5a5 5 0 0 1 10 0V9M2.5 8.5h2v4h-2zM11.5 8.5h2v4h-2z',
  megaphone: 'M2.5 6.5v3h2.5l5 3v-9l-5 3zM12 6a3 3 0 0 1 0 4',
  sliders:
    'M2 4.5h7m4 0h1M2 11.5h1m4 0h7M11 2.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4M5 9.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4',
  tag: 'M2.5 7.5v-5h5l6 6-5 5zM5 5h.1',
  shop: 'M3 7v6.5h10V7M2 6l1-3.5h10L14 6zM6.5 13.5v-4h3v4',
  cart: 'M1.5 3h2l1.8 7h7l1.4-5H4.2M6 13h.1M11.5 13h.1',
  shield: 'M8 2.2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  chart: 'M2.5 13.5h11M4.5 11V7.5M8 11V3.5M11.5 11V6',
  medal: 'M8 2.2a4.3 4.3 0 1 1 0 8.6 4.3 4.3 0 0 1 0-8.6M5.6 10 4.5 14 8 12.4l3.5 1.6-1.1-4',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.5v3M10.5 2.5v3',
  star: 'm8 2.2 1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  receipt: 'M3.5 2.5h9v11l-2.2-1.3L8 13.5l-2.3-1.3-2.2 1.3zM6 5.5h4M6 8h4',
  people:
    'M6 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M1.5 13c.4-2.3 2.2-3.4 4.5-3.4s4.1 1.1 4.5 3.4M10.5 3.2a2.4 2.4 0 0 1 0 4.6M12 9.9c1.4.5 2.3 1.5 2.6 3.1',
  link: 'M6.5 9.5l3-3M7 4.5 8.7 2.8a3 3 0 0 1 4.3 4.3L11.4 8.8M9 11.5l-1.7 1.7A3 3 0 0 1 3 8.9l1.6-1.7',
  book: 'M8 4a2 2 0 0 0-2-1.2H2.5v9.7H6.5A1.5 1.5 0 0 1 8 13.8M8 4a2 2 0 0 1 2-1.2h3.5v9.7H9.5A1.5 1.5 0 0 0 8 13.8V4',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.2H2.8zM6.6 14h2.8',
}

const isDrawn = (name: string | null | undefined): name is MenuIconName =>
  typeof name === 'string' && Object.hasOwn(drawings, name)

/** The drawing of an entry of the menu; nothing where it has none. */
export const MenuDrawing = ({ name, size = 16 }: { name: string | null | undefined; size?: number }) =>
  isDrawn(name) ? (
    <svg className="mk-icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  ) : null

/** The name of an entry, behind its drawing where it has one. */
export const EntryName = ({ name, icon }: { name: string; icon: string | null }) =>
  icon ? (
    <>
      <MenuDrawing name={icon} /> {name}
    </>
  ) : (
    name
  )
