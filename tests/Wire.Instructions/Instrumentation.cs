using System.Runtime.InteropServices;

namespace Wire.Instructions;

/// <summary>
/// Has valgrind begin to count in the middle of a program: until then it runs five times as fast, and most of what this program does is
/// compiling what will be counted.
/// </summary>
internal static unsafe partial class Instrumentation
{
    private const int ReadWriteExecute = 7;
    private const int PrivateAnonymous = 0x22;

    // callgrind.h: VG_USERREQ__START_INSTRUMENTATION.
    private const nint Begin = ('C' << 24) + ('T' << 16) + 4;

    /// <summary>Whether it can be asked here: elsewhere, all of the program is counted.</summary>
    public static bool IsKnown => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    // A function whose argument is the address of a request: turning a register once around, and exchanging one with itself, is nothing to
    // a processor, and to valgrind a request.
    private static ReadOnlySpan<byte> Ask =>
    [
        0x48, 0x89, 0xF8, // mov rax, rdi
        0x31, 0xD2, // xor edx, edx
        0x48, 0xC1, 0xC7, 0x03, // rol rdi, 3
        0x48, 0xC1, 0xC7, 0x0D, // rol rdi, 13
        0x48, 0xC1, 0xC7, 0x3D, // rol rdi, 61
        0x48, 0xC1, 0xC7, 0x33, // rol rdi, 51
        0x48, 0x87, 0xDB, // xchg rbx, rbx
        0xC3, // ret
    ];

    /// <summary>Counts from now on, where that is known.</summary>
    public static void Start()
    {
        if (!IsKnown)
        {
            return;
        }

        nint code = Map(0, (nuint)Environment.SystemPageSize, ReadWriteExecute, PrivateAnonymous, -1, 0);
        if (code == -1)
        {
            throw new InvalidOperationException($"There is no memory for code: error {Marshal.GetLastPInvokeError()} of mmap.");
        }

        Ask.CopyTo(new Span<byte>((void*)code, Ask.Length));
        nint* request = stackalloc nint[6];
        request[0] = Begin;
        ((delegate* unmanaged<nint*, void>)code)(request);
    }

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint Map(nint address, nuint length, int protection, int flags, int file, nint offset);
}
