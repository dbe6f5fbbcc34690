using System.Runtime.InteropServices;

namespace Wire.Tests.Errors.Mistakes;

#pragma warning disable CS0067, CS0649, CA1812 // What is in them is what is refused.

public abstract record Message(int Number);

public sealed record Placed(int Number, string Customer) : Message(Number);

public sealed record Cancelled(int Number) : Message(Number);

public interface IShape;

public sealed record Circle(double Radius) : IShape;

public sealed record Envelope(Message? Body, IShape? Shape = null, object? Any = null);

public sealed record Basket(int Number, List<Message> Messages, Dictionary<string, object?> Notes);

public enum State
{
    Open,
    Paid,
}

public enum Renamed
{
    Begun,
    Paid,
}

public sealed class Holder<T>
{
    public T? Value { get; set; }
}

public sealed class Other
{
    public int Else { get; set; }
}

public sealed class WithEvent
{
    public event EventHandler? Changed;

    public void Raise() => Changed?.Invoke(this, EventArgs.Empty);
}

public sealed class WithLoop
{
    public WithLoop? Self { get; set; }
}

public unsafe struct WithPointer
{
    public int* Address;
}

public static class Helpers;

public sealed class OwnStream : MemoryStream;

[StructLayout(LayoutKind.Explicit)]
public struct Overlap
{
    [FieldOffset(0)]
    public string? Text;

    [FieldOffset(0)]
    public int[]? Numbers;
}

public struct Grows<T>
{
    public T Value;
    public Grows<(T First, T Second)>[]? More;
}

[WireName("Shop.Payment")]
public sealed record Payment(int Id) : Message(Id);

[WireName("Shop.Payment")]
public sealed record Refund(int Id) : Message(Id);

[WireName("Shop[0]")]
public sealed record WrongName(int Id);

[WireName("System.String")]
public sealed record StolenName(int Id);

public sealed class TwoMembers
{
    [WireName("Amount")]
    public int Net { get; set; }

    [WireName("Amount")]
    public int Total { get; set; }
}

public sealed class ByLength : IEqualityComparer<string>
{
    public bool Equals(string? x, string? y) => x?.Length == y?.Length;

    public int GetHashCode(string obj) => obj.Length;
}
