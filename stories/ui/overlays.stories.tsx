import type { Meta } from '@storybook/web-components-vite'
import { useText } from '../../core/element/i18n.ts'
import { IconButton } from '../../core/ui/basics.ts'
import { Select } from '../../core/ui/choose/select.tsx'
import { CopyIcon } from '../../core/ui/copy-icon.tsx'
import { Icon } from '../../core/ui/icons.tsx'
import { DropdownMenu } from '../../core/ui/overlay/dropdown-menu.tsx'
import { Tooltip } from '../../core/ui/overlay/tooltip.tsx'
import { act, pressFirst } from '../act.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Overlays' } satisfies Meta

const Menu = () => {
  const t = useText()
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger>
        <IconButton variant="ghost" color="gray" aria-label={t('common.moreActions')}>
          <Icon name="more" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content size="1">
        <DropdownMenu.Item>{t('actions.askNow')}</DropdownMenu.Item>
        <DropdownMenu.Item disabled>{t('actions.replay')}</DropdownMenu.Item>
        <DropdownMenu.Item color="red">{t('actions.cancelPayout')}</DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

/** Two actions of a row stand in sight, the rest behind this. What the state forbids is there, but off. */
export const MenuOpen = part(Menu, { play: act(pressFirst) })

/** One of a few values that need no search; more than ten go into *Choose*. */
export const OneOfFew = part(() => {
  const t = useText()
  return (
    <Select.Root size="1" defaultValue="20">
      <Select.Trigger aria-label={t('common.pageSize')} />
      <Select.Content>
        {[10, 20, 50].map(n => (
          <Select.Item key={n} value={String(n)}>
            {t('common.perPage', { n })}
          </Select.Item>
        ))}
      </Select.Content>
    </Select.Root>
  )
})

/** Explains on hover and focus; nothing that somebody needs stands only here. */
export const Explained = part(() => {
  const t = useText()
  return (
    <Tooltip content={t('common.reload')}>
      <IconButton variant="ghost" color="gray" aria-label={t('common.reload')}>
        <Icon name="refresh" />
      </IconButton>
    </Tooltip>
  )
})

/** Beside every key; the toast says that it was copied. */
export const Copy = part(() => (
  <span className="mk-key">
    LO260301ABCDEFGH
    <CopyIcon value="LO260301ABCDEFGH" />
  </span>
))
