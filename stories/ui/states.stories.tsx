import type { Meta } from '@storybook/web-components-vite'
import { SignedOut as Ended } from '../../core/client/signed-out.tsx'
import { useText } from '../../core/element/i18n.ts'
import { Forbidden as NoAccess } from '../../core/engine/list/chosen/refused.tsx'
import { Button } from '../../core/ui/basics.ts'
import { Empty as Nothing, Loading as Waiting, Failed as Wrong } from '../../core/ui/states.tsx'
import { part } from '../part.tsx'

export default { title: 'Parts/States' } satisfies Meta

/** Why there is nothing, and what to do next. */
export const Empty = part(() => {
  const t = useText()
  return (
    <Nothing
      title={t('common.emptyList')}
      hint={t('common.emptyFiltered')}
      action={
        <Button variant="soft" color="gray">
          {t('common.reset')}
        </Button>
      }
    />
  )
})

/** What went wrong, and the way to try again. */
export const Failed = part(() => {
  const t = useText()
  return <Wrong message={t('common.noConnection')} onRetry={() => undefined} />
})

/** Every word of *nothing to show* by hand; empty ones take those of the language. */
export const EmptyWithControls = part<{ title: string; hint: string }>(
  ({ title, hint }) => {
    const t = useText()
    return <Nothing title={title || t('common.emptyList')} hint={hint || t('common.emptyFiltered')} />
  },
  { args: { title: '', hint: '' } },
)

/** The message by hand, with or without a way to try again. */
export const FailedWithControls = part<{ message: string; retry: boolean }>(
  ({ message, retry }) => {
    const t = useText()
    return <Wrong message={message || t('common.noConnection')} {...(retry ? { onRetry: () => undefined } : {})} />
  },
  { args: { message: '', retry: true } },
)

/** The shape of what is about to come; nothing moves when it is there. */
export const Loading = part(() => <Waiting />, { play: undefined })

export const Forbidden = part(() => <NoAccess />)
export const SignedOut = part(() => <Ended />)
