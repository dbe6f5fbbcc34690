/// <summary>A type without a namespace.</summary>
#pragma warning disable CA1050 // That it has none is what is tested.
public sealed class Global
{
    public int Id { get; set; }
}
