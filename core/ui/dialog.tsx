import 'virtual:radix-more'
import { Dialog as Radix } from '@radix-ui/themes'
import type { ComponentProps } from 'react'
import { usePortalContainer } from '../element/context.ts'
import { useTyped } from './typed.ts'

const Content = (props: ComponentProps<typeof Radix.Content>) => (
  <Radix.Content container={usePortalContainer()} {...props} />
)

/** A content that people answer: what they typed counts as unsaved until it closes. */
const Form = (props: ComponentProps<typeof Radix.Content>) => <Content {...useTyped()} {...props} />

/** A dialog of any shape; forms use `ModalDialog`, records `Drawer`. */
export const Dialog = { ...Radix, Content, Form }
