namespace Bench;

/// <summary>An enum for members and for arguments.</summary>
public enum Color
{
    Red,
    Green,
    Blue,
}
