using Wire.Format;

namespace Wire.Paths;

/// <summary>One step of a path's program.</summary>
/// <param name="Code">What it does.</param>
/// <param name="Before">The number of bytes of fixed values in front of it, which are passed over first.</param>
/// <param name="Shape">The shape of what it passes over, or looks in; null where the code says it.</param>
/// <param name="Index">The index of an element.</param>
/// <param name="Key">A key.</param>
internal readonly record struct PathInstruction(PathCode Code, int Before, Shape? Shape = null, uint Index = 0, PathKey? Key = null);
