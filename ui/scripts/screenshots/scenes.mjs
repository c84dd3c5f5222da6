/**
 * Every scene: what the in-memory host holds (`samples`), how the window is opened (`query`), and the way to
 * the screen (`go`). A name may stand only once, for it names the picture.
 */
import { inbox } from './scenes/inbox.mjs';
import { knowledge } from './scenes/knowledge.mjs';
import { documents } from './scenes/documents.mjs';
import { progress } from './scenes/progress.mjs';
import { search } from './scenes/search.mjs';
import { window } from './scenes/window.mjs';

const PLACES = [inbox, knowledge, documents, progress, search, window];

/** Name and scene, place by place. */
export const SCENES = PLACES.flatMap((scenes) => Object.entries(scenes));

const names = SCENES.map(([name]) => name);
const twice = names.filter((name, index) => names.indexOf(name) !== index);
if (twice.length > 0) throw new Error(`Scenes of one name: ${twice.join(', ')}`);
