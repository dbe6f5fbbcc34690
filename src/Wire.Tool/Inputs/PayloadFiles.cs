using Wire.Tool.Running;

namespace Wire.Tool.Inputs;

/// <summary>Parses the payloads of files, one at a time, and reports those that are refused.</summary>
/// <param name="settings">How they are read.</param>
/// <param name="console">The streams.</param>
internal sealed class PayloadFiles(InputSettings settings, ToolConsole console)
{
    private readonly Complaints _complaints = new(console);

    /// <summary>Gets the worst exit code so far.</summary>
    public int ExitCode => _complaints.ExitCode;

    /// <summary>Calls a function for each payload that can be parsed.</summary>
    /// <param name="files">The paths.</param>
    /// <param name="use">The function, which gets the session too, if any; it returns false for not going on.</param>
    /// <param name="open">What is called for each file before its payloads.</param>
    /// <param name="refused">What is called for a payload that is refused.</param>
    /// <param name="damaged">What is called before that is reported, where a part of it can be read, with the reason.</param>
    public void ForEach(
        IEnumerable<string> files,
        Func<InputPayload, PayloadDocument, PayloadDocumentSession?, bool> use,
        Action<PayloadFile>? open = null,
        Action<InputPayload>? refused = null,
        Action<InputPayload, PayloadDocument, WireFormatException>? damaged = null)
    {
        foreach (string path in files)
        {
            try
            {
                using PayloadFile file = PayloadFile.Open(path, settings, console);
                open?.Invoke(file);
                PayloadDocumentSession? session = settings.IsSession ? new() : null;
                while (file.Read() is { } payload)
                {
                    PayloadDocument? document = Parse(payload, session, damaged);
                    if (document is null)
                    {
                        refused?.Invoke(payload);
                    }
                    else if (!use(payload, document, session))
                    {
                        break;
                    }
                }
            }
            catch (ToolException exception)
            {
                Complain(exception.Message, exception.ExitCode);
            }
        }

        _complaints.Conclude();
    }

    /// <summary>Parses a payload; null where it is refused, which is reported.</summary>
    public PayloadDocument? Parse(
        InputPayload payload,
        PayloadDocumentSession? session,
        Action<InputPayload, PayloadDocument, WireFormatException>? damaged = null)
    {
        PayloadDocument? document = PayloadDocument.ParseBeginning(
            payload.Bytes, out WireFormatException? failure, settings.Limits, session);
        if (failure is null)
        {
            return document;
        }

        if (document is not null)
        {
            damaged?.Invoke(payload, document, failure);
        }

        Complain($"{payload.Place}: {failure.Message}{Advice(failure)}", ExitCodes.Refused);
        return null;
    }

    /// <summary>Reports something, in one line.</summary>
    public void Complain(string line, int exitCode) => _complaints.Add(line, exitCode);

    private string Advice(WireFormatException exception) => exception.Error switch
    {
        WireFormatError.UnknownManifest when !settings.IsSession =>
            " If all payloads of the file are messages of one session, from its first one, give --session.",
        WireFormatError.UnknownManifest => " A message of the session is missing in front of it, or was refused.",
        WireFormatError.Limit when exception.Message.Contains(nameof(Limits.MaxAllocation), StringComparison.Ordinal) =>
            " Give --memory with more MiB if the file is one that you trust.",
        WireFormatError.Header => " What Serializer.Serialize wrote begins with a byte from 0x10 to 0x17.",
        _ => "",
    };
}
