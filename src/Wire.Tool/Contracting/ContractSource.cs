using System.Text;
using Wire.Tool.Running;

namespace Wire.Tool.Contracting;

/// <summary>Reads contracts from texts, and makes them from assemblies.</summary>
/// <param name="console">The streams.</param>
/// <param name="types">The names of types that are described; empty for all.</param>
/// <param name="options">The member that returns the options; null for the default ones.</param>
internal sealed class ContractSource(ToolConsole console, string[] types, string? options)
{
    /// <summary>Reads contracts.</summary>
    /// <exception cref="ToolException">One of them cannot be read.</exception>
    public WireContract[] ReadAll(string[] paths)
    {
        if (paths.Count(path => path == "-") > 1)
        {
            throw new ToolException("The standard input is one file: only one of the two can be -.", ExitCodes.Usage);
        }

        (string Path, string? Text)[] files = [.. paths.Select(path => (path, ReadText(path)))];
        if ((types.Length > 0 || options is not null) && Array.TrueForAll(files, file => file.Text is not null))
        {
            throw new ToolException("--type and --options are for an assembly, and no file is one.", ExitCodes.Usage);
        }

        return [.. files.Select(file => file.Text is { } text ? Parse(file.Path, text) : Describe(file.Path))];
    }

    // Null for an assembly.
    private string? ReadText(string path)
    {
        try
        {
            using Stream stream = path == "-" ? console.OpenInput() : File.OpenRead(path);
            using var bytes = new MemoryStream();
            byte[] head = new byte[2];
            int read = stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            if (head is [(byte)'M', (byte)'Z'])
            {
                return path == "-" ? throw new ToolException(
                    "standard input: An assembly is given by its path, so that what it needs is found.", ExitCodes.Usage) : null;
            }

            bytes.Write(head.AsSpan(0, read));
            stream.CopyTo(bytes);
            return Encoding.UTF8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length).TrimStart('\uFEFF');
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ToolException($"{Shown(path)}: The file cannot be read: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
    }

    private static WireContract Parse(string path, string text)
    {
        try
        {
            return WireContract.Parse(text);
        }
        catch (FormatException exception)
        {
            throw new ToolException($"{Shown(path)}: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
    }

    private WireContract Describe(string path)
    {
        var assembly = new LoadedAssembly(path);
        return assembly.Run(() =>
        {
            Serializer serializer = options is null ? new Serializer() : assembly.SerializerOf(options);
            return WireContract.From(
                serializer, types.Length > 0 ? types.SelectMany(assembly.Find).Distinct() : Writable(assembly, serializer));
        });
    }

    private List<Type> Writable(LoadedAssembly assembly, Serializer serializer)
    {
        var written = new List<Type>();
        var refused = new List<UnsupportedTypeException>();
        foreach (Type type in assembly.Messages)
        {
            try
            {
                WireContract.From(serializer, type);
                written.Add(type);
            }
            catch (UnsupportedTypeException exception)
            {
                refused.Add(exception);
            }
        }

        if (written.Count == 0)
        {
            throw new ToolException($"{assembly.Name}: It has no public type that can be written. Give --type.", ExitCodes.Usage);
        }

        if (refused.Count > 0)
        {
            console.Complain(FormattableString.Invariant(
                $"{assembly.Name}: {refused.Count} type(s) are left out, such as this one: {PlainText.Show(refused[0].Message)}"));
        }

        return written;
    }

    private static string Shown(string path) => path == "-" ? "standard input" : PlainText.Show(path);
}
