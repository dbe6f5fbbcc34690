using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;

namespace Wire.AspNetCore.Tests.Testing;

/// <summary>Wire's protocol of a client that sends other bytes than it should, and counts what it sends and gets.</summary>
internal sealed class EditedProtocol(IHubProtocol inner) : IHubProtocol
{
    /// <summary>Gets or sets what becomes of the next frame of an invocation; null is nothing.</summary>
    public Func<byte[], byte[]>? Edit { get; set; }

    public System.Collections.Concurrent.ConcurrentDictionary<Type, int> Messages { get; } = new();

    public string Name => inner.Name;

    public int Version => inner.Version;

    public TransferFormat TransferFormat => inner.TransferFormat;

    public bool IsVersionSupported(int version) => inner.IsVersionSupported(version);

    public bool TryParseMessage(ref ReadOnlySequence<byte> input, IInvocationBinder binder, [NotNullWhen(true)] out HubMessage? message)
    {
        bool found = inner.TryParseMessage(ref input, binder, out message);
        if (found)
        {
            Count(message!);
        }

        return found;
    }

    public void WriteMessage(HubMessage message, IBufferWriter<byte> output) => output.Write(GetMessageBytes(message).Span);

    public ReadOnlyMemory<byte> GetMessageBytes(HubMessage message)
    {
        Count(message);
        byte[] frame = inner.GetMessageBytes(message).ToArray();
        if (message is not HubMethodInvocationMessage || Edit is not { } edit)
        {
            return frame;
        }

        Edit = null;
        return edit(frame);
    }

    private void Count(HubMessage message) => Messages.AddOrUpdate(message.GetType(), 1, (_, count) => count + 1);
}
