import { routes } from '../../core/contract/routes.ts'
import type { Language } from '../../core/i18n/language.ts'
import { isKey, text } from '../../core/i18n/server.ts'

/** A node of the menu as the database keeps it: a system, a page, or the code of a button. */
export type MenuRow = {
  /** The system of a catalog, the tag of a page, tag and code of a button: names of pages are not unique. */
  menuNo: string
  parentMenuNo: string | null
  /** A text key, or the code itself for a button. */
  menuName: string
  menuType: 'catalog' | 'page' | 'button'
  perms: string | null
  sort: number
}

const top = 'AdminContent'

/** The whole menu: a catalog per system, its pages with their routes, and below each page its codes: number 1 is the code that reads it. */
export const menuRows = (): MenuRow[] => {
  const pages = routes.filter(route => route.system !== 'Index')
  const systems = [...new Set(pages.map(page => page.system).filter(system => system !== top))]
  const catalogs = systems.map(
    (system, index): MenuRow => ({
      menuNo: system,
      parentMenuNo: null,
      menuName: `systems.${system}`,
      menuType: 'catalog',
      perms: `/${top}/${system}`,
      sort: 10 * (index + 2),
    }),
  )
  const entries = pages.flatMap((page, index): MenuRow[] => [
    {
      menuNo: page.tag,
      parentMenuNo: page.system === top ? null : page.system,
      menuName: `screens.${page.tag}`,
      menuType: 'page',
      perms: page.path,
      sort: page.system === top ? 10 : 10 * (index + 1),
    },
    ...[...new Set([...(page.perm ? [page.perm] : []), ...page.actions])].map(
      (code, at): MenuRow => ({
        menuNo: `${page.tag}.${code}`,
        parentMenuNo: page.tag,
        menuName: code,
        menuType: 'button',
        perms: code,
        sort: page.perm ? at + 1 : at + 2,
      }),
    ),
  ])
  return [...catalogs, ...entries]
}

/** What an entry is called: by people in each language, else by the program. */
export type MenuNames = { menuName: string; nameZh: string | null; nameEn: string | null; nameSw: string | null }

/** The name of an entry in a language; `own` is what the program calls it where that is no text key. */
export const menuNameIn = (
  language: Language,
  { menuName, nameZh, nameEn, nameSw }: MenuNames,
  own: (language: Language) => string = () => menuName,
): string =>
  ({ zh: nameZh, en: nameEn, sw: nameSw })[language] ?? (isKey(menuName) ? text(language, menuName) : own(language))
