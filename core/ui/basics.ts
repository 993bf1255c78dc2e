export {
  Badge,
  Button,
  Callout,
  Flex,
  IconButton,
  Skeleton,
  Text,
  TextField,
  VisuallyHidden,
} from '@radix-ui/themes'
export { Checkbox } from './checkbox.tsx'
