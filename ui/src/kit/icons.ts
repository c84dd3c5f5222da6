/** The pictures of the interface (Lucide, ISC licence), by what they show. */
import Archive from '@lucide/svelte/icons/archive';
import Activity from '@lucide/svelte/icons/activity';
import Anchor from '@lucide/svelte/icons/anchor';
import ArrowLeft from '@lucide/svelte/icons/arrow-left';
import ArrowDown from '@lucide/svelte/icons/arrow-down';
import ArrowUp from '@lucide/svelte/icons/arrow-up';
import Bot from '@lucide/svelte/icons/bot-message-square';
import Check from '@lucide/svelte/icons/check';
import ChevronUp from '@lucide/svelte/icons/chevron-up';
import ChevronDown from '@lucide/svelte/icons/chevron-down';
import ChevronLeft from '@lucide/svelte/icons/chevron-left';
import ChevronRight from '@lucide/svelte/icons/chevron-right';
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Clock from '@lucide/svelte/icons/clock';
import Clear from '@lucide/svelte/icons/list-x';
import Copy from '@lucide/svelte/icons/copy';
import Eye from '@lucide/svelte/icons/eye';
import EyeOff from '@lucide/svelte/icons/eye-off';
import ExternalLink from '@lucide/svelte/icons/external-link';
import File from '@lucide/svelte/icons/file-text';
import Files from '@lucide/svelte/icons/files';
import FolderOpen from '@lucide/svelte/icons/folder-open';
import Image from '@lucide/svelte/icons/image';
import Inbox from '@lucide/svelte/icons/inbox';
import Library from '@lucide/svelte/icons/library';
import Lock from '@lucide/svelte/icons/lock';
import Paste from '@lucide/svelte/icons/clipboard-paste';
import Pause from '@lucide/svelte/icons/pause';
import Pen from '@lucide/svelte/icons/pen-line';
import Play from '@lucide/svelte/icons/play';
import Plus from '@lucide/svelte/icons/plus';
import Power from '@lucide/svelte/icons/power';
import Progress from '@lucide/svelte/icons/loader-circle';
import Replace from '@lucide/svelte/icons/file-up';
import Gauge from '@lucide/svelte/icons/gauge';
import Info from '@lucide/svelte/icons/info';
import Bookmark from '@lucide/svelte/icons/bookmark-plus';
import Around from '@lucide/svelte/icons/unfold-vertical';
import Upload from '@lucide/svelte/icons/upload';
import Retry from '@lucide/svelte/icons/rotate-cw';
import Scan from '@lucide/svelte/icons/scan-text';
import Search from '@lucide/svelte/icons/search';
import Settings from '@lucide/svelte/icons/settings-2';
import Skip from '@lucide/svelte/icons/circle-slash';
import Trash from '@lucide/svelte/icons/trash-2';
import Warning from '@lucide/svelte/icons/triangle-alert';
import X from '@lucide/svelte/icons/x';

export const icons = {
  activity: Activity,
  anchor: Anchor,
  around: Around,
  bookmark: Bookmark,
  gauge: Gauge,
  info: Info,
  up: ChevronUp,
  upload: Upload,
  archive: Archive,
  back: ArrowLeft,
  bot: Bot,
  check: Check,
  clear: Clear,
  down: ChevronDown,
  left: ChevronLeft,
  right: ChevronRight,
  alert: CircleAlert,
  clock: Clock,
  copy: Copy,
  open: ExternalLink,
  eye: Eye,
  eyeOff: EyeOff,
  file: File,
  files: Files,
  folder: FolderOpen,
  image: Image,
  inbox: Inbox,
  library: Library,
  lock: Lock,
  paste: Paste,
  moveDown: ArrowDown,
  moveUp: ArrowUp,
  pause: Pause,
  pen: Pen,
  play: Play,
  plus: Plus,
  power: Power,
  progress: Progress,
  replace: Replace,
  retry: Retry,
  scan: Scan,
  search: Search,
  settings: Settings,
  skip: Skip,
  trash: Trash,
  warning: Warning,
  close: X,
};

/** The name of a picture. */
export type IconName = keyof typeof icons;
