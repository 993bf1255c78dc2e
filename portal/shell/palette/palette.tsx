import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { common } from '../../../core/contract/common/common.ts'
import { builtPages } from '../../../core/contract/page-table.ts'
import { useHost } from '../../../core/element/context.ts'
import { titlesOf, useText } from '../../../core/element/i18n.ts'
import { languages } from '../../../core/i18n/language.ts'
import { VisuallyHidden } from '../../../core/ui/basics.ts'
import { Dialog } from '../../../core/ui/overlay/dialog.tsx'
import { useReturnFocus } from '../../../core/ui/overlay/return-focus.ts'
import { useWayOut } from '../way-out.ts'
import { type Entry, isName, isNumber, matching, type Page } from './palette-search.ts'

export type Command = Entry & { run: () => void }
type Offer = Entry & { choose: (newTab: boolean) => void }
type Group = { label: string; offers: readonly Offer[] }

const pauseMs = 250

/** A value once it has stood still for a moment. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const useRecords = (typed: string, wanted: boolean) => {
  const may = useMay()
  const settled = useSettled(typed.trim())
  const asked = wanted && (isNumber(settled) || isName(settled)) && settled === typed.trim() && may.call(common.lookup)
  const { data, loading } = useRead(common.lookup, asked ? { text: settled } : null, {
    background: true,
    keepPreviousData: false,
  })
  return { records: asked ? (data?.list ?? []) : [], waits: loading || settled !== typed.trim() }
}

const tags = builtPages.map(({ tag }) => tag)

/** The titles of every page in every language; those of the languages that nobody speaks here come when the palette opens. */
const useTitles = (): ReadonlyMap<string, readonly string[]> => {
  const [titles, setTitles] = useState<ReadonlyMap<string, readonly string[]>>(new Map())
  useEffect(() => {
    let wanted = true
    const take = async () => {
      const spoken = await Promise.all(languages.map(language => titlesOf(language, tags)))
      const found = builtPages.map(({ path }, at): [string, string[]] => [
        path.toLowerCase(),
        spoken.flatMap(titles => titles[at] ?? []),
      ])
      if (wanted) setTitles(new Map(found))
    }
    take().catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [])
  return titles
}

type Props = {
  pages: readonly Page[]
  /** Those opened last, the newest first. */
  recent: readonly Page[]
  /** Whether records are looked up by their numbers. */
  records: boolean
  commands: readonly Command[]
  go: (path: string) => void
  close: () => void
}

const useGroups = ({ pages, recent, records: wanted, commands, go }: Omit<Props, 'close'>, typed: string) => {
  const t = useText()
  const titles = useTitles()
  const { records, waits } = useRecords(typed, wanted)
  const goOut = useWayOut()
  const named = pages.map(page => ({ ...page, also: titles.get(page.path.toLowerCase()) ?? [] }))
  const offered = (page: Page): Offer => ({
    ...page,
    choose: newTab =>
      page.external ? void goOut({ menuNo: page.id, externalUrl: page.path }) : open(page.path, newTab),
  })
  const open = (path: string, newTab: boolean) => {
    if (newTab) window.open(path, '_blank', 'opener')
    else go(path)
  }
  const found: Group = {
    label: t('shell.paletteRecords'),
    offers: records.map(({ objectType, objectNo, route, customerName, orderStatus, flowStatus }) => ({
      id: objectNo,
      label:
        objectType === 'order'
          ? t('shell.paletteOrder', { orderNo: objectNo })
          : t('shell.paletteFlow', { flowNo: objectNo }),
      hint: [
        customerName,
        orderStatus && t(`dict.ORDER_STATUS.${orderStatus}`),
        flowStatus && t(`dict.FLOW_STATUS.${flowStatus}`),
      ]
        .filter(Boolean)
        .join(' · '),
      choose: newTab => open(route, newTab),
    })),
  }
  const others: Group[] = [
    {
      label: t('shell.paletteRecent'),
      offers: typed.trim() ? [] : recent.map(page => ({ ...offered(page), id: `recent-${page.id}` })),
    },
    {
      label: t('shell.palettePages'),
      offers: matching(named, typed).map(offered),
    },
    {
      label: t('shell.paletteCommands'),
      offers: matching(commands, typed).map(command => ({ ...command, choose: command.run })),
    },
  ]
  // People arrive after the pages of that name: what is first must not move away under the fingers.
  const groups = isNumber(typed) ? [found, ...others] : [...others, found]
  return { groups: groups.filter(group => group.offers.length), waits }
}

type Keys = {
  offers: readonly Offer[]
  at: number
  setAt: (step: (before: number) => number) => void
  choose: (offer: Offer | undefined, newTab: boolean) => void
}

/** Arrows move along the offers, Enter takes the one they are at. */
const keysOf =
  ({ offers, at, setAt, choose }: Keys) =>
  (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && offers.length) {
      event.preventDefault()
      setAt(before => (Math.min(before, offers.length - 1) + step + offers.length) % offers.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(offers[Math.min(at, offers.length - 1)], event.ctrlKey || event.metaKey)
    }
  }

type GroupsProps = Pick<Keys, 'choose'> & {
  groups: readonly Group[]
  current: Offer | undefined
  idOf: (offer: Offer) => string
  point: (offer: Offer) => void
}

const Groups = ({ groups, current, idOf, choose, point }: GroupsProps) =>
  groups.map(group => (
    <div key={group.label} role="group" aria-label={group.label}>
      <small aria-hidden="true">{group.label}</small>
      {group.offers.map(offer => (
        // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the input
        <div
          key={offer.id}
          id={idOf(offer)}
          role="option"
          aria-selected={offer === current}
          onClick={event => choose(offer, event.ctrlKey || event.metaKey)}
          onPointerMove={() => point(offer)}
        >
          <span>{offer.label}</span>
          {offer.hint && <span className="mk-muted">{offer.hint}</span>}
        </div>
      ))}
    </div>
  ))

/** Keeps the active option in view. */
const useInView = (id: string | undefined) => {
  const { element } = useHost()
  useEffect(() => {
    if (id) element.shadowRoot?.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [element, id])
}

/** Finds a page by its name in any language, a record by its number or a command, with the keyboard alone. */
export const Palette = ({ close, ...given }: Props) => {
  const t = useText()
  const id = useId()
  const returns = { onCloseAutoFocus: useReturnFocus(true) }
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { groups, waits } = useGroups(given, typed)
  const offers = groups.flatMap(group => group.offers)
  const current = offers[Math.min(at, offers.length - 1)]
  const idOf = (offer: Offer) => `${id}-${offer.id}`
  const activeId = current && idOf(current)
  const choose = (offer: Offer | undefined, newTab: boolean) => {
    if (!offer) return
    close()
    offer.choose(newTab)
  }
  const keys = keysOf({ offers, at, setAt, choose })
  useInView(activeId)

  return (
    <Dialog.Root open onOpenChange={wanted => void (!wanted && close())}>
      <Dialog.Content className="mk-palette" size="1" align="start" {...returns} aria-describedby={undefined}>
        <VisuallyHidden>
          <Dialog.Title>{t('shell.palette')}</Dialog.Title>
        </VisuallyHidden>
        <input
          role="combobox"
          aria-label={t('shell.palette')}
          aria-expanded={offers.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('shell.paletteHint')}
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={keys}
        />
        <div id={`${id}-list`} role="listbox" aria-label={t('shell.palette')}>
          <Groups
            groups={groups}
            current={current}
            idOf={idOf}
            choose={choose}
            point={offer => setAt(offers.indexOf(offer))}
          />
        </div>
        <p role="status" data-empty={(!offers.length && !waits) || undefined}>
          {offers.length ? t('shell.paletteCount', { n: offers.length }) : waits ? '' : t('shell.paletteNothing')}
        </p>
      </Dialog.Content>
    </Dialog.Root>
  )
}
