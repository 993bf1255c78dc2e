import { type FormEvent, type ReactNode, useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { Button } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { PayeeForm, payeeErrors, type TypedPayee } from './payee-form.tsx'

type Errors = Readonly<Record<string, string>>
type Props = {
  title: string
  description: string
  /** The words of the button that sends. */
  action: string
  busy: boolean
  payee: TypedPayee
  onChange: (payee: TypedPayee) => void
  close: () => void
  /** What is asked for besides the account, and what is wrong with it; `clear` takes the error off a field. */
  also?: { errors: () => Errors; fields: (errors: Errors, clear: (name: string) => void) => ReactNode }
  /** Sends what has no flaw; answers what the server found wrong, by field. */
  send: () => Promise<Errors | undefined>
}

/** Another account for a loan. */
export const PayeeDialog = ({ title, description, action, busy, payee, onChange, close, also, send }: Props) => {
  const t = useText()
  const [errors, setErrors] = useState<Errors>({})
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const problems = { ...payeeErrors(t, payee), ...also?.errors() }
    setErrors(problems)
    if (Object.keys(problems).length) return
    const refused = await send()
    if (refused) setErrors(refused)
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={title}
      description={description}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <form className="mk-form" onSubmit={event => void submit(event)}>
        <PayeeForm
          payee={payee}
          errors={errors}
          onChange={(next, changed) => {
            setErrors(changed ? { ...errors, [changed]: '' } : {})
            onChange(next)
          }}
        />
        {also?.fields(errors, name => setErrors({ ...errors, [name]: '' }))}
        <button type="submit" hidden />
      </form>
    </ModalDialog>
  )
}
