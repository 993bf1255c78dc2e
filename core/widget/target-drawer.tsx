import { createElement, use, useEffect, useState } from 'react'
import { useMay } from '../client/providers.tsx'
import { type Host, useHost } from '../element/context.ts'
import { useText } from '../element/i18n.ts'
import { loadOnce } from '../element/load-once.ts'
import { Drawer } from '../ui/overlay/drawer.tsx'
import { defineWidget } from './define-widget.tsx'
import type { TargetProps } from './target.ts'

/** What a widget hands on to the one it opens: the person, and the look. */
const handedOn = [
  'token',
  'fetchToken',
  'baseUrl',
  'config',
  'messages',
  'language',
  'theme',
  'accent',
  'radius',
  'density',
] as const

const given = ({ props }: Host) => Object.fromEntries(handedOn.map(name => [name, props[name]]))

type Others = TargetProps['others']
const known = new Map<Others, ReturnType<Others>>()

/** Another screen of the console at the edge of the one that led there, where the page does nothing else with it. */
export const TargetDrawer = ({ target, others, providers, close }: TargetProps) => {
  const host = useHost()
  const t = useText()
  const may = useMay()
  const meta = use(loadOnce(known, others, others)).find(other => other.path?.toLowerCase() === target.to.toLowerCase())
  const covered = meta !== undefined && may.open(target.to)
  useState(() => meta && defineWidget(meta, providers, others))
  useEffect(() => {
    if (!covered && may.known) close()
  }, [covered, may.known, close])
  if (!covered) return null
  const { tag } = meta
  const { orderNo, from, open, ...filters } = target.query
  return (
    <Drawer open onClose={close} title={t.maybe(`screens.${tag}`) ?? tag}>
      {createElement(tag, { ...given(host), orderNo, from, open, ...(Object.keys(filters).length ? { filters } : {}) })}
    </Drawer>
  )
}
