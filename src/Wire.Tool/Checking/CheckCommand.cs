using System.CommandLine;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Checking;

/// <summary><c>wire check</c>.</summary>
internal static class CheckCommand
{
    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "check",
            "Checks payloads: whether they are well-formed, what limits they need, and which types a reader has to allow.",
            "wire check orders.bin",
            "wire check --session connection.frames",
            "cat queue.frames | wire check -");
        Argument<string[]> files = CommandOptions.NewFiles();
        var common = new CommandOptions();
        command.Arguments.Add(files);
        common.AddTo(command);
        command.SetAction(result => Run(console, common.Read(result), result.GetValue(files)!));
        return command;
    }

    private static int Run(ToolConsole console, InputSettings settings, string[] paths)
    {
        int exitCode = ExitCodes.Good;
        foreach (string path in paths)
        {
            var files = new PayloadFiles(settings, console);
            var findings = new Findings(settings.IsSession);
            string name = "";
            files.ForEach(
                [path],
                (payload, document, _) =>
                {
                    findings.Add(payload, document);
                    return true;
                },
                open: file => name = file.Name,
                refused: findings.AddRefused);
            exitCode = Math.Max(exitCode, files.ExitCode);
            if (findings.Payloads > 0 || files.ExitCode == ExitCodes.Good)
            {
                Write(console, name, findings, isWhole: files.ExitCode == ExitCodes.Good);
            }
        }

        return exitCode;
    }

    private static void Write(ToolConsole console, string name, Findings findings, bool isWhole)
    {
        string what = findings.IsFramed ? $"{TextTable.Number(findings.Payloads)} frame(s)" : "1 payload";
        string verdict = isWhole ? "well-formed"
            : findings.Refused > 0 ? $"REFUSED: {TextTable.Number(findings.Refused)} of them" : "REFUSED: its end";
        verdict = console.Paint(isWhole ? Paint.Value : Paint.Bad, verdict);
        console.Out.WriteLine($"{name}: {what}, {TextTable.Number(findings.Bytes)} bytes, {verdict}");
        if (findings.Payloads == findings.Refused)
        {
            return;
        }

        Limits standard = Limits.Default;
        var table = new TextTable();
        table.Add("the most of a payload", "found", "limit by default");
        Row(findings.IsFramed ? nameof(Limits.MaxFrameBytes) : nameof(Limits.MaxBytes), findings.LargestPayload,
            findings.IsFramed ? standard.MaxFrameBytes : standard.MaxBytes);
        Row(nameof(Limits.MaxDepth), findings.Levels, standard.MaxDepth);
        Row(nameof(Limits.MaxObjects), findings.Objects, standard.MaxObjects);
        Row(nameof(Limits.MaxElements), findings.Elements, standard.MaxElements);
        Row(nameof(Limits.MaxStringLength), findings.StringLength, standard.MaxStringLength);
        Row(nameof(Limits.MaxManifests), findings.Definitions, standard.MaxManifests);
        Row(nameof(Limits.MaxManifestBytes), findings.DefinitionBytes, standard.MaxManifestBytes);
        table.Write(console.Out);
        OptionsCode.Write(console.Out, findings);

        void Row(string limit, long found, long most) =>
            table.Add(limit, TextTable.Number(found), TextTable.Number(most), found > most ? "exceeded" : "");
    }
}
