import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { contactBlock } from '../../../core/contract/merchant/contact-block.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { Button, Callout, Flex } from '../../../core/ui/basics.ts'
import { Holdings } from '../../shared/contact-block/holdings.tsx'

type Found = OutputOf<typeof contactBlock.lookup>

/** Whether a number may be contacted: one line for the person who is about to call it. */
export const Lookup = () => {
  const t = useText()
  const client = useClient()
  const [phone, setPhone] = useState<unknown>()
  const [found, setFound] = useState<Found | null>(null)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    if (typeof phone !== 'string') return setWrong(t('validation.contentEmpty'))
    setBusy(true)
    setWrong(undefined)
    setFound(null)
    try {
      setFound(await client.call(contactBlock.lookup, { phone }))
    } catch (error) {
      setWrong(error instanceof CallError ? error.message : t('common.noConnection'))
    } finally {
      setBusy(false)
    }
  }
  const active = found?.list.filter(one => one.blockStatus === 'active').length ?? 0
  return (
    <form
      className="mk-form"
      style={{ maxWidth: 720 }}
      onSubmit={event => {
        event.preventDefault()
        void ask()
      }}
    >
      <Field
        name="phone"
        schema={contactBlock.lookup.input.shape.phone}
        value={phone}
        onChange={setPhone}
        {...(wrong ? { error: wrong } : {})}
      />
      <Flex>
        <Button type="submit" loading={busy}>
          {t('contactBlock.lookup')}
        </Button>
      </Flex>
      {found && (
        <>
          <Callout.Root size="1" color={active ? 'amber' : 'green'}>
            <Callout.Text role="status">
              {active ? t('contactBlock.onSome', { n: active }) : t('contactBlock.onNone')}
            </Callout.Text>
          </Callout.Root>
          {found.list.length > 0 && <Holdings list={found.list} />}
        </>
      )}
    </form>
  )
}
