import type { Meta } from '@storybook/web-components-vite'
import { useText } from '../../core/element/i18n.ts'
import { Button, Flex, IconButton } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { part } from '../part.tsx'

export default { title: 'Parts/Button' } satisfies Meta

const variants = ['solid', 'soft', 'surface', 'outline', 'ghost'] as const

/** The primary action is solid, everything beside it soft and gray. */
export const Variants = part(() => {
  const t = useText()
  return (
    <Flex gap="4" align="center">
      {variants.map(variant => (
        <Button key={variant} variant={variant}>
          {t('actions.allot')}
        </Button>
      ))}
      <Button variant="soft" color="gray">
        {t('common.cancel')}
      </Button>
      <Button color="red">{t('actions.cancelOrder')}</Button>
    </Flex>
  )
})

type Given = {
  label: string
  variant: (typeof variants)[number]
  color: 'teal' | 'gray' | 'red'
  size: '1' | '2' | '3'
  disabled: boolean
  loading: boolean
}

/** Every property by hand. Without a label it takes the word of the language. */
export const WithControls = part<Given>(
  ({ label, ...given }) => {
    const t = useText()
    return <Button {...given}>{label || t('actions.allot')}</Button>
  },
  {
    args: { label: '', variant: 'solid', color: 'teal', size: '2', disabled: false, loading: false },
    argTypes: {
      variant: { control: 'select', options: variants },
      color: { control: 'select', options: ['teal', 'gray', 'red'] },
      size: { control: 'inline-radio', options: ['1', '2', '3'] },
    },
  },
)

export const Disabled = part(() => {
  const t = useText()
  return <Button disabled>{t('actions.allot')}</Button>
})

/** Pressed, and not yet answered: a second press does nothing. */
export const Running = part(() => {
  const t = useText()
  return <Button loading>{t('actions.allot')}</Button>
})

/** An icon alone has a name for those who cannot see it. */
export const IconOnly = part(() => {
  const t = useText()
  return (
    <IconButton variant="ghost" color="gray" aria-label={t('common.reload')}>
      <Icon name="refresh" />
    </IconButton>
  )
})
