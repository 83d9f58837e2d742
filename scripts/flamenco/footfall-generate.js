// Job type of Flamenco, Blender's render farm: generates motions with `footfall generate`.
//
// Copy this file into the folder `scripts` beside the Flamenco Manager. docs/cluster.md explains it.
// Each number of the job is one motion: the number of a task file if the path holds `#`, else a seed.
// Flamenco runs this file in its own interpreter, which supplies `author`, `path` and `frameChunker`.

const JOB_TYPE = {
    label: "Footfall Motions",
    description: "Generate a motion for each of many task files or seeds.",
    settings: [
        { key: "task_file", type: "string", subtype: "file_path", required: true,
          description: "Task file on shared storage; ### stands for the number, with leading zeros" },
        { key: "frames", type: "string", required: true, default: "0-99",
          description: "Numbers of the task files, or seeds, such as 0-99 or 1,4,7-9" },
        { key: "chunk_size", type: "int32", default: 10, propargs: { min: 1 },
          description: "Number of motions in each Flamenco task" },
        { key: "output_folder", type: "string", subtype: "dir_path", required: true,
          description: "Folder on shared storage, with one folder for each motion" },
        { key: "footfall_command", type: "string", default: "footfall", visible: "submission",
          description: "Footfall's command on the workers; may be a variable such as {footfall}" },
    ]
};

function compileJob(job) {
    const settings = job.settings;
    for (const chunk of frameChunker(settings.frames, settings.chunk_size)) {
        const task = author.Task(`motions-${chunk}`, "misc");
        for (const number of listNumbers(chunk)) {
            task.addCommand(author.Command("exec", {
                exe: settings.footfall_command,
                args: listArguments(settings, number),
            }));
        }
        job.addTask(task);
    }
}

// Return the numbers of a chunk such as "3", "1-4" or "1,4,7-9".
function listNumbers(chunk) {
    const numbers = [];
    for (const part of chunk.split(",")) {
        const ends = part.trim().split(/\.\.|-/).map(Number);
        for (let number = ends[0]; number <= ends[ends.length - 1]; number++) {
            numbers.push(number);
        }
    }
    return numbers;
}

function listArguments(settings, number) {
    const signs = settings.task_file.match(/#+/);
    const digits = pad(number, signs ? signs[0].length : 4);
    const file = signs ? settings.task_file.replace(/#+/, digits) : settings.task_file;
    const stem = path.basename(file).replace(/\.toml$/, "");
    const name = signs ? stem : `${stem}-${digits}`;
    const seed = signs ? [] : ["--seed", String(number)];
    return ["generate", file].concat(seed, ["--out", path.join(settings.output_folder, name)]);
}

function pad(number, length) {
    let digits = String(number);
    while (digits.length < length) {
        digits = "0" + digits;
    }
    return digits;
}
